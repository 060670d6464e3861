import type { BookBlock } from "@/api/types";
import { markupPattern, respellMarkup } from "@/lib/markup";

/** Returns a text without markup: what would be read as markup gets round brackets, as in backend/text. */
const literal = (text: string): string =>
  text.replace(markupPattern(true), (found) => found.replaceAll("[", "(").replaceAll("]", ")"));

/** Returns the text of a block that is spoken, with its markup; empty where all of it is left out. `read` are the classes that are read aloud. */
export function spokenText({ spans = [] }: BookBlock, read: readonly string[]): string {
  return spans
    .filter((span) => !span.class || read.includes(span.class))
    .map(({ text, say, markup }) => {
      if (text === "") return say ?? "";
      if (say) return respellMarkup(text, say);
      return markup ? text : literal(text);
    })
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .trim();
}

/** Returns the text of a block that is left out. */
export const leftOutText = ({ spans = [] }: BookBlock, read: readonly string[]): string =>
  spans
    .filter((span) => span.class && !read.includes(span.class))
    .map(({ text, say }) => text || (say ?? ""))
    .join(" ")
    .trim();
