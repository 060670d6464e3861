import { markupPattern } from "./markup";

export const pauseMarkup = "[pause 0.5s]";
const near = 400; // characters around the cursor that are examined
// Scripts without spaces have no visible end of a word.
const letter =
  "(?:(?![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}])[\\p{L}\\p{N}\\p{M}])";
const word = new RegExp(`${letter}+(?:['’.,:‐-]${letter}+)*`, "gu");
const closing = /^[.,;:!?…)}"”’»\]]+/;

/** Returns where to insert a pause: never inside a word or markup, and after the word's full stop or comma. */
export function pausePlace(text: string, at: number): number {
  const from = Math.max(0, at - near);
  const around = text.slice(from, at + near);
  const parts = [...around.matchAll(markupPattern()), ...around.matchAll(word)];
  const within = parts.find((part) => from + part.index < at && at < from + part.index + part[0].length);
  const end = within ? from + within.index + within[0].length : at;
  if (end === 0 || /\s/.test(text.charAt(end - 1))) return end;
  return end + (closing.exec(text.slice(end, end + 8))?.[0].length ?? 0);
}

/** Returns the markup of a pause with the spaces needed at this position. */
export function pauseAt(text: string, at: number): string {
  const glue = (c: string) => (c === "" || /\s/.test(c) ? "" : " ");
  return glue(text.charAt(at - 1)) + pauseMarkup + (glue(text.charAt(at)) || (text.charAt(at) === "" ? " " : ""));
}

/** Returns the text with the inserted pause, and the cursor after it. */
export function withPause(text: string, place: number): { text: string; caret: number } {
  const at = pausePlace(text, place);
  const before = text.slice(0, at) + pauseAt(text, at);
  return { text: before + text.slice(at), caret: before.length + (/^\s/.test(text.slice(at)) ? 1 : 0) };
}
