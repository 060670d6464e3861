import { asRead } from "@/lib/heading";

/** The longest title of a document, and name of a draft. */
export const maxTitle = 100;
/** What a copy keeps of it, which leaves space for its suffix. */
export const maxCopied = 90;
const maxName = 60;
/** What the name of a draft contains of the name of its file. */
const maxFileName = 40;

/** Returns the name of a document without a title: its first words. */
export function nameOf(text: string, untitled: string): string {
  const line =
    text
      .slice(0, 400)
      .split("\n")
      .map((l) => asRead(l).trim())
      .find(Boolean) ?? "";
  if (line === "") return untitled;
  if (line.length <= maxName) return line;
  const cut = line.slice(0, maxName);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 20))}…`;
}

/**
 * Returns the title of a draft that is made from a file: the one in the file, with the name of the file where another draft has
 * that name. Empty where the draft is named after its first words, as a pasted text is.
 */
export function titleOfFile(file: { name: string; title: string; text: string }, taken: ReadonlySet<string>): string {
  const fileName = file.name.replace(/\.\w+$/, "");
  const title = file.title.slice(0, maxTitle);
  const name = title || nameOf(file.text, fileName);
  if (!taken.has(name)) return title;
  const suffix = ` (${fileName.slice(0, maxFileName)})`;
  return name.slice(0, maxTitle - suffix.length) + suffix;
}
