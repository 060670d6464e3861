import { readBookChapter } from "@/api/books";
import { speakText } from "@/api/profiles";
import type { Book, BookBlock, BookOptions, Profile } from "@/api/types";
import { toggleHearing } from "@/player";

const longest = 300; // characters
const shortest = 40; // of a sample; a shorter first chapter is only a heading

/** Returns what is spoken of a block. */
const spoken = ({ spans = [] }: BookBlock, { read = [] }: BookOptions): string =>
  spans
    .filter((span) => !span.class || read.includes(span.class))
    .map((span) => span.say || span.text)
    .join("");

/** Returns the first sentences of a text, at most 300 characters. */
export function firstSentences(text: string): string {
  const whole = text.replace(/\s+/g, " ").trim();
  if (whole.length <= longest) return whole;
  const cut = whole.slice(0, longest);
  const end = [...cut.matchAll(/[.!?…。！？]["”’»)]*(?=\s|$)/gu)].at(-1);
  if (end && end.index > shortest) return cut.slice(0, end.index + end[0].length);
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), 200));
}

/** Reads the beginning of the text of a book: of the first chapters that are more than a heading. */
async function readBeginning(book: Book, signal: AbortSignal): Promise<string> {
  const chapters = book.chapters.filter(({ skipped, characters }) => !skipped && characters > 0);
  const chapter = chapters.find(({ characters }) => characters > longest) ?? chapters[0];
  if (!chapter) return "";
  const { blocks } = await readBookChapter(book.id, chapter.id, signal);
  const texts = blocks.filter(({ kind }) => kind !== "heading").map((block) => spoken(block, book.options));
  return firstSentences(texts.filter((text) => text.trim() !== "").join(" ") || chapter.title);
}

/** The name of the sound of a voice on a book, as it speaks now. */
export const hearingId = ({ id, options }: Book, profile: Profile): string =>
  `book:${id}:${profile.id}:${options.speed ?? ""}:${options.language ?? ""}`;

/** Plays the beginning of a book in a voice, or stops it; nothing of it is stored. */
export function hearBook(id: string, book: Book, profile: Profile): void {
  const { speed, language, pronunciations } = book.options;
  toggleHearing(id, async (signal) =>
    speakText(profile.id, { text: await readBeginning(book, signal), speed, language, pronunciations }, signal),
  );
}
