import { fold } from "@/lib/fold";
import { append, isOpener, saidOnce, written, type Line, type Pasted } from "./names";

/** A name that was found in a text, which a person takes as a speaker or as text. */
export interface FoundName {
  name: string;
  /** How often it speaks. */
  count: number;
  /** Its first line. */
  example: string;
  /** It may be no speaker. */
  isDoubtful: boolean;
  /** Whether it is a speaker unless a person decides otherwise. */
  isSpeaker: boolean;
}

/** Folded names that are text. */
export type AsText = ReadonlySet<string>;

/** Returns the names of lines in the order of their first line. `doubtful` are written lines. */
export function namesOf(lines: readonly Line[], doubtful: readonly string[]): FoundName[] {
  const once = new Set(saidOnce(lines).map((line) => fold(line.name)));
  const names = new Map<string, FoundName>();
  for (const line of lines) {
    const known = names.get(fold(line.name));
    const isDoubtful = once.has(fold(line.name)) && doubtful.includes(written(line));
    if (known) known.count += 1;
    else
      names.set(fold(line.name), {
        name: line.name,
        count: 1,
        example: written(line),
        isDoubtful,
        isSpeaker: !isDoubtful || !isOpener(line.name),
      });
  }
  return [...names.values()];
}

const longestTitle = 100;

/** Returns a script in which lines of some names are text: they continue the turn before, or are the title at the start. */
export function withNamesAsText(found: Pasted, asText: AsText): Pasted {
  if (asText.size === 0) return found;
  const out: Pasted = { ...found, lines: [], left: [...found.left], doubtful: [] };
  for (const line of found.lines) {
    const last = out.lines.at(-1);
    const words = written(line);
    if (!asText.has(fold(line.name))) out.lines.push({ ...line });
    else if (last) append(last, words);
    else if (!out.title && words.length <= longestTitle) out.title = words;
    else out.left.push(words);
  }
  return out;
}
