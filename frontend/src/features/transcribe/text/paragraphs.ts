import type { Segment } from "@/api/types";

/** A paragraph as it is shown: segments of one speaker. */
export interface Paragraph {
  /** Of its first segment. */
  id: number;
  start: number;
  end: number;
  speaker: string;
  segments: readonly Segment[];
}

/** Groups segments into paragraphs. A change of the speaker begins a paragraph too. */
export function paragraphsOf(segments: readonly Segment[]): Paragraph[] {
  const groups: Segment[][] = [];
  for (const segment of segments) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && !segment.paragraph && before.speaker === segment.speaker) group.push(segment);
    else groups.push([segment]);
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return [];
    return [{ id: first.id, start: first.start, end: last.end, speaker: first.speaker, segments: group }];
  });
}

const withoutSpaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]\p{P}?$/u;

/** Returns what separates a segment from the one before it: nothing in scripts without spaces. */
export const gapAfter = (text: string): string => (text === "" || withoutSpaces.test(text) ? "" : " ");

/** Returns the text of a paragraph. */
export const textOf = ({ segments }: Pick<Paragraph, "segments">): string =>
  segments.reduce((text, segment) => text + gapAfter(text) + segment.text.trim(), "");

/** Returns the text of all paragraphs, with the name of the speaker where that changes. */
export function textWithSpeakers(segments: readonly Segment[]): string {
  const paragraphs = paragraphsOf(segments);
  return paragraphs
    .map((paragraph, i) => {
      const isNew = paragraph.speaker !== "" && paragraph.speaker !== paragraphs[i - 1]?.speaker;
      return isNew ? `${paragraph.speaker}: ${textOf(paragraph)}` : textOf(paragraph);
    })
    .join("\n\n");
}
