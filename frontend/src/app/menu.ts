import { openOutside, session } from "@/api/session";
import { runCommand } from "@/lib/commands";
import { clipboard } from "./clipboard";
import { href, navigate } from "@/lib/router";
import { zoomBy } from "./zoom";

export function inStudio(command: string): void {
  navigate(href("studio"));
  runCommand(command);
}

/** What the items of the window's native menu do; the names are those of app/desktop/menu.go. */
export const menuActions: Readonly<Record<string, (text?: string) => void>> = {
  "menu:new-draft": () => inStudio("studio:new"),
  "menu:open-text": () => inStudio("studio:open"),
  "menu:settings": () => navigate(href("settings")),
  "menu:zoom-in": () => zoomBy(1),
  "menu:zoom-out": () => zoomBy(-1),
  "menu:zoom-reset": () => zoomBy(0),
  "menu:help": () => openOutside(`${session.get().base}/docs`),
  "menu:shortcuts": () => runCommand("help"),
  "menu:dictation": () => navigate(href("settings", ["dictation"])),
  "menu:read-aloud": (text) => clipboard.ask("read", text),
  "menu:shortcut-unavailable": (keys) => clipboard.ask("refused", keys),
};

/** Subscribes to the window's native menu; does nothing in a browser. */
export function listenToMenu(): () => void {
  const on = window.runtime?.EventsOn;
  if (!on) return () => undefined;
  const stops = Object.entries(menuActions).map(([event, action]) => on(event, action));
  return () => {
    for (const stop of stops) stop();
  };
}
