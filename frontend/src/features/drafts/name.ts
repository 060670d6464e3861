import { asRead } from "@/lib/heading";

/** The longest title of a document, and name of a draft. */
export const maxTitle = 100;
/** What a copy keeps of it, which leaves space for its suffix. */
export const maxCopied = 90;
const maxName = 60;

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
