import { markupPattern, readMarkup, type Markup } from "@/lib/markup";

/** A part of a text: plain, or markup with its position. */
export type Part = { text: string; from: number; to: number; markup: Markup | null };

/** Returns the parts of a text, null if it has no markup; `allTags`: of a voice that takes any audio tag. */
export function partsOf(text: string, allTags = false): Part[] | null {
  const parts: Part[] = [];
  let end = 0;
  const plain = (from: number, to: number) => {
    if (to > from) parts.push({ text: text.slice(from, to), from, to, markup: null });
  };
  for (const match of text.matchAll(markupPattern(allTags))) {
    const markup = readMarkup(match);
    if (!markup) continue;
    plain(end, match.index);
    end = match.index + match[0].length;
    parts.push({ text: match[0], from: match.index, to: end, markup });
  }
  if (parts.length === 0) return null;
  plain(end, text.length);
  return parts;
}

/** Returns the part that contains the cursor or selection and shows its markup as typed; -1 for none. */
export function editedPart(parts: readonly Part[], from: number, to: number): number {
  return parts.findIndex(
    (part) =>
      part.markup &&
      (from === to
        ? from > part.from && from < part.to
        : from < part.to && to > part.from && !(from <= part.from && to >= part.to)),
  );
}
