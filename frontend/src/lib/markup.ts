/** Markup that the server parses, as in backend/text. */
export type Markup =
  | { kind: "pause"; seconds: number }
  | { kind: "respell"; word: string; respelling: string }
  | { kind: "tag"; name: string };

const tags = [
  "laugh(?:s|ing|ter)?(?: softly| harder)?|starts laughing|chuckl(?:e|es|ing)|giggl(?:e|es|ing)|sigh(?:s|ing)?",
  "breath(?:e|es|ing)?|deep breath|takes a (?:deep )?breath|inhales?(?: deeply)?|exhales?(?: sharply)?|gasp(?:s|ing)?|cough(?:s|ing)?",
  "clear(?:s|ing)?(?: his| her)? throat|throat clearing|groan(?:s|ing)?|moans?|sniff(?:s|ing|le|les)?|snort(?:s|ing)?|shush(?:es|ing)?",
  "yawn(?:s|ing)?|sneez(?:e|es|ing)|gulps?|gulping|swallows|cry|cries|crying|sob(?:s|bing)?|scream(?:s|ing)?|hum(?:s|ming)?|sing(?:s|ing)?",
  "applause|clap(?:s|ping)|whisper(?:s|ing|ed)?|shout(?:s|ing)?|yell(?:s|ing)|angry|angrily|anger|sad|sadly|sadness|sorrowful|happy|happily|happiness",
  "cheerful(?:ly)?|fear(?:ful)?|afraid|scared|surprised?|excited(?:ly)?|excitement|sarcas(?:tic|tically|m)|dramatic(?:ally)?|curious(?:ly)?",
  "nervous(?:ly)?|calm(?:ly)?|tired(?:ly)?|playful(?:ly)?|mischievously|serious(?:ly)?|narration|advertisement|frustrated|annoyed|disappointed|thoughtful|impressed|delighted",
]
  .join("|")
  .replaceAll(" ", "[ _-]");

const pause =
  "\\[\\s*pause(?:\\s+(\\d{0,9}(?:[.,]\\d{0,9})?)\\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)?)?\\s*\\]";
const plainPause = 0.5; // seconds
const longestPause = 60;
const units: Record<string, number> = { ms: 0.001, mi: 60, m: 60, h: 3600 };
const respelling = "\\[\\[([^\\[\\]|\\n]{1,200})\\|([^\\[\\]\\n]{1,300})\\]\\]";

/** Any audio tag that the hosted service takes, as in backend/hosted. */
const audioTag = "\\[(\\p{L}[\\p{L} '’-]{0,57})\\]";
const wholeAudioTag = new RegExp(`^${audioTag}$`, "u");

/** Reports whether the text is one audio tag, such as [laughs]; a pause with a length is none. */
export const isAudioTag = (text: string): boolean => wholeAudioTag.test(text);

/** Returns a pattern that finds audio tags, white space, and the other characters one by one. */
export const enhancedPattern = () => new RegExp(`${audioTag}|\\s+|.`, "gu");

/**
 * Returns a pattern that finds markup; a new one for each use, because it is stateful. With `allTags` it finds every
 * audio tag, otherwise only those that engines on this machine know.
 */
export const markupPattern = (allTags = false) =>
  new RegExp(`${pause}|${respelling}|${allTags ? audioTag : `\\[(${tags})\\]`}`, allTags ? "giu" : "gi");

/** Returns the seconds of a unit: "ms" equals "milliseconds", and "m" equals "min". */
function unitSeconds(unit = "s"): number {
  const name = unit.toLowerCase();
  return units[name.startsWith("mil") ? "ms" : name.slice(0, 2)] ?? units[name.slice(0, 1)] ?? 1;
}

/** Parses a match of the pattern; null if it only looks like markup. */
export function readMarkup(match: RegExpExecArray): Markup | null {
  const [, amount, unit, word, respelling, tag] = match;
  if (word !== undefined && respelling !== undefined)
    return word.trim() && respelling.trim()
      ? { kind: "respell", word: word.trim(), respelling: respelling.trim() }
      : null;
  if (tag !== undefined) return { kind: "tag", name: tag.toLowerCase() };
  if (amount === undefined) return { kind: "pause", seconds: plainPause };
  const seconds = Number(amount.replace(",", ".")) * unitSeconds(unit);
  return amount && Number.isFinite(seconds) ? { kind: "pause", seconds: Math.min(seconds, longestPause) } : null;
}

/** Returns the markup of a respelling; brackets and bars would end it early. */
export function respellMarkup(word: string, respelling: string): string {
  const clean = (text: string) => text.replace(/[[\]|\n]/g, " ").trim();
  return `[[${clean(word)}|${clean(respelling)}]]`;
}

/** Returns a text for reading: respelled words as they are written. */
export const asWritten = (text: string): string => text.replaceAll(new RegExp(respelling, "g"), "$1");
