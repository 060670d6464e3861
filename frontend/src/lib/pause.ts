import { markupPattern } from "./markup";

export const pauseMarkup = "[pause 0.5s]";
const near = 400; // characters around the cursor that are looked at
// Scripts that set no spaces have no end of a word that could be seen.
const letter =
  "(?:(?![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}])[\\p{L}\\p{N}\\p{M}])";
const word = new RegExp(`${letter}+(?:['’.,:‐-]${letter}+)*`, "gu");
const closing = /^[.,;:!?…)}"”’»\]]+/;

/** Where a pause asked for at a place goes: never into a word or a mark, and behind the point or comma of the word. */
export function pausePlace(text: string, at: number): number {
  const from = Math.max(0, at - near);
  const around = text.slice(from, at + near);
  const parts = [...around.matchAll(markupPattern()), ...around.matchAll(word)];
  const within = parts.find((part) => from + part.index < at && at < from + part.index + part[0].length);
  const end = within ? from + within.index + within[0].length : at;
  if (end === 0 || /\s/.test(text.charAt(end - 1))) return end;
  return end + (closing.exec(text.slice(end, end + 8))?.[0].length ?? 0);
}

/** The markup of a pause with the spaces that it needs at this place. */
export function pauseAt(text: string, at: number): string {
  const glue = (c: string) => (c === "" || /\s/.test(c) ? "" : " ");
  return glue(text.charAt(at - 1)) + pauseMarkup + (glue(text.charAt(at)) || (text.charAt(at) === "" ? " " : ""));
}

/** The text with a pause asked for at a place, and the cursor behind it. */
export function withPause(text: string, place: number): { text: string; caret: number } {
  const at = pausePlace(text, place);
  const before = text.slice(0, at) + pauseAt(text, at);
  return { text: before + text.slice(at), caret: before.length + (/^\s/.test(text.slice(at)) ? 1 : 0) };
}
