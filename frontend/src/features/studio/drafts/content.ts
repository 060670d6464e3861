import type { Draft, GenerateRequest } from "@/api/types";

/** What the API takes at once. */
export const maxCharacters = 200_000;
/** Longer texts are not sent for a preview at each pause. */
export const maxPreview = 20_000;
/** Characters a second of an unhurried voice, where the program was not asked. */
const charactersPerSecond = 14.5;
const maxName = 60;

/** The choices beside the text; null leaves one to the voice or the program. */
export interface Choices {
  profile_id: string | null;
  speed: number | null;
  seed: number | null;
  format: NonNullable<GenerateRequest["format"]>;
  normalize: boolean;
  /** Whether the limiter makes up for high peaks; counts only with normalize. */
  limit: boolean;
  max_chunk_chars: number | null;
  crossfade_ms: number | null;
  steps: number | null;
}

/** What a draft of Studio holds. */
export interface Content extends Choices {
  text: string;
  /** Whether a person gave the name; else it follows the first words. */
  named: boolean;
  /** What was last made of it. */
  generation_id: string | null;
}

export const emptyContent: Content = {
  text: "",
  profile_id: null,
  speed: null,
  seed: null,
  format: "wav",
  normalize: true,
  limit: true,
  max_chunk_chars: null,
  crossfade_ms: null,
  steps: null,
  named: false,
  generation_id: null,
};

type Kind<K extends keyof Content> = (value: unknown) => Content[K];
const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const string = (value: unknown) => (typeof value === "string" ? value : null);
const formats: readonly string[] = ["wav", "flac", "mp3", "opus", "m4a"];
const readers: { [K in keyof Content]: Kind<K> } = {
  text: (v) => (string(v) ?? "").slice(0, maxCharacters),
  profile_id: string,
  speed: number,
  seed: number,
  max_chunk_chars: number,
  crossfade_ms: number,
  steps: number,
  format: (v) => (formats.includes(String(v)) ? (v as Content["format"]) : "wav"),
  normalize: (v) => v !== false,
  limit: (v) => v !== false,
  named: (v) => v === true,
  generation_id: string,
};

/** Drafts of the script screen stand in the same list of the program. */
export const isScript = (draft: Draft): boolean => draft.content.kind === "script";

/** Reads a draft, whoever wrote it: what does not fit is as if it were not there. */
export function readContent(raw: Draft["content"]): Content {
  const pairs = Object.entries(readers).map(([name, read]) => [name, read(raw[name])]);
  return Object.fromEntries(pairs) as unknown as Content;
}

/** Lines end in one way, whatever system the text comes from. */
export const plainLines = (text: string): string => text.replace(/\r\n?/g, "\n");

/** The name of a draft that nobody named: its first words. */
export function nameOf(text: string, untitled: string): string {
  const line =
    text
      .slice(0, 400)
      .split("\n")
      .map((l) => l.replace(/^#+\s*/, "").trim())
      .find(Boolean) ?? "";
  if (line === "") return untitled;
  if (line.length <= maxName) return line;
  const cut = line.slice(0, maxName);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 20))}…`;
}

/** The body of POST /generate; what was not chosen is not sent. */
export function toRequest(content: Content, text: string, profileId: string): GenerateRequest {
  const { speed, seed, format, normalize, limit, max_chunk_chars, crossfade_ms, steps } = content;
  const chosen = Object.entries({ speed, seed, max_chunk_chars, crossfade_ms, steps }).filter(
    ([, value]) => value !== null,
  );
  return { profile_id: profileId, text, format, normalize, ...(limit ? {} : { limit }), ...Object.fromEntries(chosen) };
}

/** Seconds of sound, from the last preview where there is one: it keeps its pace while the text grows. */
export function estimate(characters: number, speed: number, preview?: { characters: number; seconds: number }): number {
  if (preview && preview.characters > 0) return (characters / preview.characters) * preview.seconds;
  return characters / charactersPerSecond / speed;
}

/** The one change that makes a text into another: what both have at their ends stays. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const max = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < max && before[start] === after[start]) start += 1;
  while (end < max - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
