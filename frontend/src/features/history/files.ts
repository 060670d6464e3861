import { apiUrl } from "@/api/client";
import type { ExportFormat } from "@/api/formats";
import { exportGenerations } from "@/api/history";
import type { SoundOptions } from "@/api/formats";
import { fileName } from "@/api/save";
import type { Generation } from "@/api/types";

const mostInZip = 1000;

/** Saves many generations as zip files of at most a thousand each. */
export async function saveMany(
  ids: readonly string[],
  request: SoundOptions & { format: ExportFormat },
  name: string,
): Promise<void> {
  const parts = Math.ceil(ids.length / mostInZip);
  for (let i = 0; i < parts; i++) {
    await exportGenerations(
      ids.slice(i * mostInZip, (i + 1) * mostInZip),
      request,
      parts > 1 ? `${name} ${i + 1}` : name,
    );
  }
}

const types: Record<Generation["format"], string> = {
  wav: "audio/wav",
  flac: "audio/flac",
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  m4a: "audio/mp4",
};

/** Reports whether a signed address is still valid for a while. */
export function isFresh(audioUrl: string, now = Date.now()): boolean {
  const expires = Number(new URLSearchParams(audioUrl.split("?")[1] ?? "").get("exp"));
  return expires * 1000 > now + 60_000;
}

/** Returns the full address of an audio file, for other programs. */
export const audioAddress = (audioUrl: string): string => new URL(apiUrl(audioUrl), location.href).href;

/** Returns a path of this machine as a file URL. */
const fileAddress = (path: string): string =>
  `file://${path.startsWith("/") ? "" : "/"}${path
    .replaceAll("\\", "/")
    .split("/")
    .map((part) => encodeURIComponent(part).replace("%3A", ":"))
    .join("/")}`;

/** Lets a row be dragged out: as a file in Chromium, as an address elsewhere; the desktop window drags the file. */
export function fillDrag(
  data: DataTransfer,
  row: { title: string; text: string; format: Generation["format"]; audioUrl: string; audioPath: string },
  fallback: string,
): void {
  const address = window.go?.desktop?.Bridge && row.audioPath ? fileAddress(row.audioPath) : audioAddress(row.audioUrl);
  const name = `${fileName(row, fallback)}.${row.format}`.replaceAll(":", " ");
  data.effectAllowed = "copy";
  data.setData("DownloadURL", `${types[row.format]}:${name}:${address}`);
  data.setData("text/uri-list", address);
  data.setData("text/plain", address);
}
