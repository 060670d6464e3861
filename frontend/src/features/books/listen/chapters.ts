import type { Book, BookChapter, Generation } from "@/api/types";

/** A place in a book: a chapter, and seconds from its start. */
export interface Place {
  chapter_id: string;
  seconds: number;
}

/** Reports whether a chapter belongs to the audiobook and has something to speak. */
export const isSpoken = (chapter: BookChapter): boolean => !chapter.skipped && chapter.characters > 0;

/** Reports whether more audio of a chapter is to come. */
export const isGrowing = ({ wanted, state }: BookChapter): boolean => wanted && state !== "done" && state !== "changed";

/** Reports whether a chapter can be heard, or can soon. */
export const isPlayable = (chapter: BookChapter): boolean =>
  isSpoken(chapter) && (chapter.generations.length > 0 || isGrowing(chapter));

/** Returns the spoken chapter after another one; undefined after the last. */
export function chapterAfter({ chapters }: Book, id: string): BookChapter | undefined {
  const at = chapters.findIndex((chapter) => chapter.id === id);
  return at < 0 ? undefined : chapters.slice(at + 1).find(isSpoken);
}

/** Returns the playable chapter before another one. */
export function chapterBefore({ chapters }: Book, id: string): BookChapter | undefined {
  const at = chapters.findIndex((chapter) => chapter.id === id);
  return chapters.slice(0, Math.max(0, at)).findLast(isPlayable);
}

/** Returns the part of a chapter at a second of it, and the second of that part. */
export function partAt(parts: readonly Pick<Generation, "duration">[], seconds: number): { n: number; at: number } {
  let [n, at] = [0, Math.max(0, seconds)];
  for (; n < parts.length - 1; n++) {
    const { duration } = parts[n] ?? { duration: 0 };
    if (at < duration) break;
    at -= duration;
  }
  return { n, at: Math.min(at, parts[n]?.duration ?? 0) };
}

const endTolerance = 1; // seconds

/** Returns where listening continues: at a place, after the end of a chapter in the next one, else at the beginning. */
export function placeToContinue(book: Book, place: Place | null | undefined): Place | null {
  const first = book.chapters.find(isPlayable);
  const begin = first ? { chapter_id: first.id, seconds: 0 } : null;
  const chapter = book.chapters.find(({ id }) => id === place?.chapter_id);
  if (!place || !chapter || !isPlayable(chapter)) return begin;
  if (chapter.state !== "done" || place.seconds < chapter.seconds - endTolerance) return place;
  const next = chapterAfter(book, chapter.id);
  return next ? { chapter_id: next.id, seconds: 0 } : begin;
}
