import { markupPattern } from "@/lib/markup";

const sign = "[pause 0.5s]";
const isGap = (character: string): boolean => character === "" || /\s/.test(character);
const parts = (text: string) => [...text.matchAll(markupPattern()), ...text.matchAll(/[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu)];

/** The text with a pause at a place, and the cursor behind it: never within a word or another mark, with a space on each side. */
export function withPause(text: string, place: number): { text: string; caret: number } {
  const within = parts(text).find((part) => part.index < place && place < part.index + part[0].length);
  const at = within ? within.index + within[0].length : place;
  const before = text.slice(0, at) + (isGap(text.charAt(at - 1)) ? "" : " ") + sign;
  const rest = text.slice(at);
  return { text: before + (rest === "" || !isGap(rest.charAt(0)) ? " " : "") + rest, caret: before.length + 1 };
}
