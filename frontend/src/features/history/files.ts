import { apiUrl, saveBlob } from "@/api/client";
import { exportGeneration, exportGenerations, type ExportFormat } from "@/api/history";
import type { Generation } from "@/api/types";

export const soundFormats = ["wav", "flac", "mp3", "opus", "m4a"] as const satisfies readonly ExportFormat[];
export const subtitleFormats = ["srt", "vtt"] as const satisfies readonly ExportFormat[];
export type SaveFormat = ExportFormat | "txt";
const mostInZip = 1000;

/** A name that every file system takes, made from the title or the first words. */
export function fileName(of: { title: string; text: string }, fallback: string): string {
  const words = (of.title || of.text).slice(0, 120).replace(/[\p{Cc}\\/:*?"<>|]+/gu, " ").replace(/\s+/g, " ").trim();
  return words.slice(0, 60).replace(/[. ]+$/, "") || fallback;
}

/** Saves one generation, as sound, subtitles or plain text. */
export async function saveAs(generation: Pick<Generation, "id" | "title" | "text">, format: SaveFormat, fallback: string): Promise<void> {
  const name = fileName(generation, fallback);
  if (format === "txt") saveBlob(new Blob([generation.text], { type: "text/plain;charset=utf-8" }), `${name}.txt`);
  else await exportGeneration(generation.id, format, name);
}

/** Saves many as zip files of at most a thousand. */
export async function saveMany(ids: readonly string[], format: ExportFormat, name: string): Promise<void> {
  const parts = Math.ceil(ids.length / mostInZip);
  for (let i = 0; i < parts; i++) {
    await exportGenerations(ids.slice(i * mostInZip, (i + 1) * mostInZip), format, parts > 1 ? `${name} ${i + 1}` : name);
  }
}

const types: Record<Generation["format"], string> = { wav: "audio/wav", flac: "audio/flac", mp3: "audio/mpeg", opus: "audio/ogg", m4a: "audio/mp4" };

/** Whether a signed address still works for a while. */
export function isFresh(audioUrl: string, now = Date.now()): boolean {
  const expires = Number(new URLSearchParams(audioUrl.split("?")[1] ?? "").get("exp"));
  return expires * 1000 > now + 60_000;
}

/** The full address of a sound, for other programs. */
export const soundAddress = (audioUrl: string): string => new URL(apiUrl(audioUrl), location.href).href;

/** Lets a row be dragged out as a file where the browser can (Chromium), as an address elsewhere. */
export function fillDrag(data: DataTransfer, row: { title: string; text: string; format: Generation["format"]; audioUrl: string }, fallback: string): void {
  const address = soundAddress(row.audioUrl);
  const name = `${fileName(row, fallback)}.${row.format}`.replaceAll(":", " ");
  data.effectAllowed = "copy";
  data.setData("DownloadURL", `${types[row.format]}:${name}:${address}`);
  data.setData("text/uri-list", address);
  data.setData("text/plain", address);
}
