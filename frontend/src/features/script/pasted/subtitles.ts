import { append, isDirection, linesOf, namedLine, singleSpaces, withWords, type Line, type Pasted } from "./names";

const arrow = /^[\d:.,]{4,12} ?-{1,2}> ?[\d:.,]{4,12}/;
const settings = /^(?:[a-z]{4,8}:[\d%,.a-z-]{1,30} ?){1,6}$/; // of WebVTT
const voice = /^<v(?:\.[^\s<>]{1,100})? ([^<>]{1,800})>/; // names have up to 100 characters, each may be a reference
const codes = /<\/?(?:c|i|b|u|v|s|ruby|rt|lang|font)(?:[.\s][^<>]{0,60})?>|<[\d:.]{5,12}>|\{\\[^{}]{0,40}\}/gi;
const references = /&(?:(amp|lt|gt|quot|apos|nbsp|lrm|rlm)|#(\d{1,7})|#[xX]([\da-fA-F]{1,6}));/g; // of WebVTT
const characters = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  lrm: "\u200e",
  rlm: "\u200f",
};
const dash = /^[-–—] ?/;
const isSentence = (text: string): boolean => /[.!?…]["”»’)]?$/.test(text);

/** Returns the character of a number, as browsers read it. */
function characterAt(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}

/** Returns words of WebVTT with the characters that its references stand for. */
const unescape = (words: string): string =>
  words.replace(references, (_, name?: keyof typeof characters, decimal?: string, hex?: string) =>
    name ? characters[name] : characterAt(decimal ? Number(decimal) : parseInt(hex ?? "", 16)),
  );

/** Returns the words of a line without tags, and who says them; null where nobody is named. */
function read(raw: string, isWebVTT: boolean): { words: string; said: Line | null } {
  const decode = (written: string) => singleSpaces(isWebVTT ? unescape(written) : written);
  const tagged = voice.exec(raw);
  const words = decode(raw.slice(tagged?.[0].length ?? 0).replace(codes, ""));
  return { words, said: tagged ? { name: decode(tagged[1] ?? ""), text: words } : namedLine(words) };
}

const parts = (line: string): string[] => line.trim().split(/(?=<v[ .])/);

/** Returns the parts of a line with the voice tags of WebVTT, "<v Anna>Hi</v>", as they are copied without their times. */
export const taggedLines = (line: string) => parts(line).map((part) => read(part, true));

/** Returns the title in the header of WebVTT. */
export const titleOf = (header: string): string => header.replace(/^\uFEFF?WEBVTT[ -]*/, "").trim();

/** Adds a line of a cue: of a named speaker, or of the last one. */
function addLine(out: Pasted, raw: string, isWebVTT: boolean): void {
  const { words, said } = read(raw, isWebVTT);
  const last = out.lines.at(-1);
  if (isDirection(words)) out.left.push(words);
  else if (!said) {
    if (last) append(last, words.replace(dash, ""));
    else if (words) out.left.push(words);
  } else if (last?.name === said.name && !isSentence(last.text) && !("directions" in said)) append(last, said.text);
  else out.lines.push(said);
}

/** Returns the turns of subtitles (SRT or WebVTT) that name their speakers; null for another text. */
export function parseSubtitles(text: string): Pasted | null {
  const lines = linesOf(text);
  if (!lines.some((line) => arrow.test(line))) return null;
  const isWebVTT = /^\s*WEBVTT(?:\s|$)/.test(text); // the mark of byte order is white space
  const out: Pasted = { title: "", lines: [], left: [], doubtful: [] };
  let place: "between" | "cue" | "style" = "between";
  lines.forEach((line, i) => {
    if (!line) place = "between";
    else if (arrow.test(line)) {
      place = "cue";
      const after = line.replace(arrow, "").trim();
      if (after && !settings.test(after)) out.left.push(after);
    } else if (place === "cue") for (const part of parts(line)) addLine(out, part, isWebVTT);
    else if (place === "style" || (/^\d+$/.test(line) && arrow.test(lines[i + 1] ?? "")))
      return; // the number of a cue
    else if (/^(STYLE|REGION)\b/.test(line)) place = "style";
    else if (/^\uFEFF?WEBVTT\b/.test(line)) out.title = titleOf(line);
    else out.left.push(line);
  });
  const found = withWords(out);
  return found.lines.length > 0 ? found : null;
}
