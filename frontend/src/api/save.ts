import { titleOrWords } from "@/lib/heading";
import { api } from "./client";
import { saveFile, saveText } from "./download";
import { trackExport } from "./exports";
import { audioFormats, subtitleFormats, type ExportFormat, type SoundOptions } from "./formats";
import { exportGeneration } from "./history";
import { isScript } from "./scripts";
import type { Generation } from "./types";

export type SaveFormat = ExportFormat | "txt";

export interface SaveRequest extends SoundOptions {
  format: SaveFormat;
}

/** The export formats of GET /system in groups; all formats until it is loaded, as the server refuses the rest. */
export function exportFormats(encoders: readonly string[] | undefined): ExportFormat[][] {
  return [audioFormats.filter((format) => encoders?.includes(format) ?? true), [...subtitleFormats]];
}

/** Returns a file name that every file system accepts, made from the title or the first words. */
export function fileName(of: { title: string; text: string }, fallback: string): string {
  const words = titleOrWords(of, 240)
    .slice(0, 120)
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return words.slice(0, 60).replace(/[. ]+$/, "") || fallback;
}

/** Saves one generation or joined script as audio, subtitles or plain text. */
export async function saveAs(
  sound: Pick<Generation, "id" | "title" | "text">,
  { format, ...options }: SaveRequest,
  fallback: string,
): Promise<void> {
  const name = fileName(sound, fallback);
  if (format === "txt") await saveText(sound.text, `${name}.txt`);
  else if (isScript(sound.id))
    await trackExport(name, (export_id, signal) =>
      saveFile(`${name}.${format}`, (file) =>
        api.GET("/scripts/{script_id}/export", {
          params: { path: { script_id: sound.id }, query: { format, export_id, ...options } },
          signal,
          ...file,
        }),
      ),
    );
  else await exportGeneration(sound.id, { format, ...options }, name);
}

type FileAction = ((path: string) => Promise<void>) | null;

/** Shows a file of the library in the file manager; null outside the desktop window, which alone can do this. */
export function fileShower(): FileAction {
  const bridge = window.go?.desktop?.Bridge;
  return bridge?.ShowFile ? (path) => bridge.ShowFile?.(path) ?? Promise.resolve() : null;
}

/** Copies a file of the library to the clipboard, for file managers and editors; null where that is impossible. */
export function fileCopier(): FileAction {
  const bridge = window.go?.desktop?.Bridge;
  return bridge?.CopyFile ? (path) => bridge.CopyFile?.(path) ?? Promise.resolve() : null;
}
