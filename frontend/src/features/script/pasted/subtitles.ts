import { append, linesOf, namedLine, withWords, type Pasted } from "./names";

const arrow = /^[\d:.,]{4,12} ?-{1,2}> ?[\d:.,]{4,12}/;
const settings = /^(?:[a-z]{4,8}:[\d%,.a-z-]{1,30} ?){1,6}$/; // of WebVTT
const voice = /^<v(?:\.[^\s<>]{1,40})? ([^<>]{1,60})>/;
const codes = /<\/?[a-zA-Z][^<>]{0,60}>|<[\d:.]{5,12}>|\{\\[^{}]{0,40}\}/g;
const dash = /^[-–—] ?/;
const isSentence = (text: string): boolean => /[.!?…]["”»’)]?$/.test(text);

/** Adds a line of a cue: of a named speaker, or of the last one. */
function addLine(out: Pasted, raw: string): void {
  const tagged = voice.exec(raw);
  const words = raw
    .slice(tagged?.[0].length ?? 0)
    .replace(codes, "")
    .trim();
  const said = tagged ? { name: (tagged[1] ?? "").trim(), text: words } : namedLine(words);
  const last = out.lines.at(-1);
  if (!said) {
    if (last) append(last, words.replace(dash, ""));
    else if (words) out.left.push(words);
  } else if (last?.name === said.name && !isSentence(last.text) && !("directions" in said)) append(last, said.text);
  else out.lines.push(said);
}

/** Returns the turns of subtitles (SRT or WebVTT) that name their speakers; null for another text. */
export function parseSubtitles(text: string): Pasted | null {
  const lines = linesOf(text);
  if (!lines.some((line) => arrow.test(line))) return null;
  const out: Pasted = { title: "", lines: [], left: [], doubtful: [] };
  let place: "between" | "cue" | "style" = "between";
  lines.forEach((line, i) => {
    if (!line) place = "between";
    else if (arrow.test(line)) {
      place = "cue";
      const after = line.replace(arrow, "").trim();
      if (after && !settings.test(after)) out.left.push(after);
    } else if (place === "cue") for (const part of line.split(/(?=<v[ .])/)) addLine(out, part);
    else if (place === "style" || (/^\d+$/.test(line) && arrow.test(lines[i + 1] ?? "")))
      return; // the number of a cue
    else if (/^(STYLE|REGION)\b/.test(line)) place = "style";
    else if (/^\uFEFF?WEBVTT\b/.test(line)) out.title = line.replace(/^\uFEFF?WEBVTT[ -]*/, "");
    else out.left.push(line);
  });
  const found = withWords(out);
  return found.lines.length > 0 ? found : null;
}
