import { saveGet, saveText } from "./client";
import { exportGeneration, type ExportFormat } from "./history";
import { isScript } from "./scripts";
import type { Generation } from "./types";

export const soundFormats = ["wav", "flac", "mp3", "opus", "m4a"] as const satisfies readonly ExportFormat[];
export const subtitleFormats = ["srt", "vtt"] as const satisfies readonly ExportFormat[];
export type SaveFormat = ExportFormat | "txt";

/** The formats in which something can be saved, in groups: those that GET /system tells; without it all, and the server says no in words. */
export function saveFormats(id: string, encoders: readonly string[] | undefined): SaveFormat[][] {
  if (isScript(id)) return [["wav"], ["txt"]]; // the joined file of a script is a wav, and has no subtitles
  return [soundFormats.filter((format) => encoders?.includes(format) ?? true), [...subtitleFormats], ["txt"]];
}

/** A name that every file system takes, made from the title or the first words. */
export function fileName(of: { title: string; text: string }, fallback: string): string {
  const words = (of.title || of.text).slice(0, 120).replace(/[\p{Cc}\\/:*?"<>|]+/gu, " ").replace(/\s+/g, " ").trim();
  return words.slice(0, 60).replace(/[. ]+$/, "") || fallback;
}

/** Saves one generation or joined script, as sound, subtitles or plain text. */
export async function saveAs(sound: Pick<Generation, "id" | "title" | "text">, format: SaveFormat, fallback: string): Promise<void> {
  const name = fileName(sound, fallback);
  if (format === "txt") await saveText(sound.text, `${name}.txt`);
  else if (isScript(sound.id)) await saveGet("/audio/{id}", { path: { id: sound.id } }, `${name}.wav`);
  else await exportGeneration(sound.id, format, name);
}

/** Shows a file of the library in the file manager; null where nothing can, which is everywhere but in the desktop's window. */
export function fileShower(): ((path: string) => Promise<void>) | null {
  const bridge = window.go?.app?.Bridge;
  return bridge?.ShowFile ? (path) => bridge.ShowFile?.(path) ?? Promise.resolve() : null;
}
