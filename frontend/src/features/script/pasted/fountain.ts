import {
  append,
  isDirection,
  isLabel,
  linesOf,
  namedLine,
  saidOnce,
  withWords,
  written,
  type Line,
  type Pasted,
} from "./names";

const sceneHeading = /^(?:(?:INT|EXT|EST|INT\.?\/EXT|I\/E)[. ]|\.[^.])/i;
const extension = /^(?:V\.?O\.?|O\.?S\.?|O\.?C\.?|CONT[’'.]?D\.?|CONT\.?)$/i;
const titleKey = /^(title|titel|credit|authors?|source|draft date|date|contact|copyright|notes?):/i;

export const isSceneHeading = (line: string): boolean => sceneHeading.test(line);
const isParenthetical = (line: string): boolean => /^\([^()]{1,200}\)$/.test(line);

/** Returns the speaker of a cue such as "BEN (V.O.)"; null for another line. */
function cueOf(line: string): Line | null {
  const match = /^(@?)([^()]{1,60}?) ?(?:\(([^()]{1,60})\))? ?\^?$/.exec(line);
  const name = match?.[2]?.trim() ?? "";
  const isName = match?.[1] === "@" || (/\p{Lu}/u.test(name) && !/\p{Ll}|[:：!?]|TO$|^[.>#=~]/u.test(name));
  if (!match || !isName || isSceneHeading(name) || isLabel(name)) return null;
  const direction = match[3]?.trim() ?? "";
  return { name, text: "", ...(direction && !extension.test(direction) ? { directions: [direction] } : {}) };
}

/** Returns the turns of a screenplay (Fountain): speakers in capitals on lines of their own; null for another text. */
export function parseFountain(text: string): Pasted | null {
  const lines = linesOf(text);
  const isCue = (i: number) => !lines[i - 1] && Boolean(lines[i + 1]) && cueOf(lines[i] ?? "") !== null;
  const cues = lines.filter((_, i) => isCue(i)).length;
  const isScreenplay = cues > 1 || (cues === 1 && lines.some(isSceneHeading));
  if (!isScreenplay || lines.filter((line) => !titleKey.test(line) && namedLine(line)).length >= cues) return null;
  const out: Pasted = { title: "", lines: [], left: [], doubtful: [] };
  let speaking: Line | null = null;
  lines.forEach((line, i) => {
    const title = i === 0 ? /^titl?el?: ?(.*)$/i.exec(line) : null;
    if (title) out.title = title[1] ?? "";
    else if (!line) speaking = null;
    else if (!speaking && isCue(i)) {
      speaking = cueOf(line);
      if (speaking) out.lines.push(speaking);
    } else if (!speaking || (isDirection(line) && !isParenthetical(line))) out.left.push(line);
    else if (isParenthetical(line)) speaking.directions = [...(speaking.directions ?? []), line.slice(1, -1)];
    else append(speaking, line.replace(/^~ ?/, ""));
  });
  const found = withWords(out);
  if (found.lines.length === 0) return null;
  const once = saidOnce(found.lines);
  // Prose has lines in capitals too: its headings. A speaker who comes back, or a scene, makes a screenplay.
  const isCertain = once.length < found.lines.length || lines.some(isSceneHeading);
  return isCertain ? found : { ...found, doubtful: once.map(written) };
}
