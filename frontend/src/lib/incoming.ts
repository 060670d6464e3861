import { href, navigate } from "./router";
import { createStore } from "./store";
import type { Files } from "./dropTarget";

export const scriptScreen = "script";

/** Reports whether files are one that may hold a script: subtitles or a screenplay. */
export const areScript = (files: Files): boolean =>
  files.length === 1 && /\.(fountain|srt|vtt)$/i.test(files[0]?.name ?? "");

interface Incoming {
  files: Files;
  /** The screen that opens them once it is there. */
  screen: string;
}

/** Files that were dropped or opened elsewhere. */
export const incoming = createStore<Incoming | null>(null);

/** Shows a screen, which opens files: a script as a new one. */
export function openOn(screen: string, files: Files): void {
  incoming.set({ files, screen });
  navigate(href(screen, [], screen === scriptScreen ? { new: Date.now().toString(36) } : {}));
}

/** Returns the files for a screen, once. */
export function takeIncoming(screen: string): Files {
  const waiting = incoming.get();
  if (waiting?.screen !== screen) return [];
  incoming.set(null);
  return waiting.files;
}
