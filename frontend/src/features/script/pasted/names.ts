import { fold } from "@/lib/fold";
import { asRead } from "@/lib/heading";

/** A turn as it was found in a text. */
export interface Line {
  name: string;
  text: string;
  /** How it is spoken: "laughing". */
  directions?: string[];
  /** What stands before the words, where it is not "Name: ": "Anna - ". */
  lead?: string;
}

/** A script that was found in a text. Every word is in the title, in a line, or among what is left. */
export interface Pasted {
  title: string;
  lines: Line[];
  /** Lines that are not spoken: scene headings, action, notes, what precedes the first speaker. */
  left: string[];
  /** Turns of speakers who may be none. */
  doubtful: string[];
}

// All patterns have bounded repetitions and are used on single lines with single spaces, so that odd texts cost no time.
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
const range = String.raw`${clock}(?: ?(?:-{1,2}>|[-–—]) ?${clock})?`;
const leadingTime = new RegExp(String.raw`^(?:(?:\[${range}\]|\(${range}\)) ?[-–—]? ?|${range}(?: ?[-–—] ?| ))`);
export const onlyTime = new RegExp(`^${range}$`);
// The line of a speaker in the transcript of a meeting, whose words follow below: "Anna Smith   0:03", "[00:12] Anna". Each word of
// such a name has a capital, so that "We met at 10:30" has none.
const nameWord = String.raw`#?(?:\p{Lu}|\p{Lo}|\p{N})[\p{L}\p{M}\p{N}.'’_-]{0,30}`;
export const properName = String.raw`(?=\p{Lu}|\p{Lo})${nameWord}(?: (?:${nameWord}|von|van|der|den|de|da|di|la|le|bin|al|and|und|&)){0,3}`;
const time = String.raw`[([]?${range}(?: ?[apAP]\.?[mM]\.?)?[)\]]?`;
const nameAndTime = new RegExp(String.raw`^(${properName})(?:[ ,|–—-]{1,3}|(?=[([]))${time}$`, "u");
const timeAndName = new RegExp(String.raw`^${time} ?[-–—]? ?(${properName})$`, "u");
const dash = /^(?:[-–—•] ?|[*+] )/;
const listNumber = /^(?:\d{1,4}[.)]|\(\d{1,4}\)) ?/;
const emphasis = /^_{1,3}(?=\p{L})/u;
/** A name in square brackets with a colon: "[Anna]: text". */
const bracketed = /^\[([^[\]:]{1,40})\](?= ?[:：])/;
// "Dr Lindqvist (quietly): text". A name is short, has a letter, and is no address and no time of day.
const named =
  /^\*{0,3}(\p{L}[\p{L}\p{M}\p{N} .'’_&#-]{0,38}?)[*_]{0,3} ?(?:[([]([^()[\]]{1,80})[)\]])? ?[*_]{0,3} ?[:：](?!\/\/)[*_]{0,3} ?(.*)$/u;

// Words that stand before a colon and are nobody: "Note: bring a coat", "Chapter 2: The Storm".
const labels = [
  "notes?|nb|warning|caution|attention|important|tip|hint|example|for example|see also|in short|reminder|correction|update",
  "subject|date|time|source|summary|conclusion|chapter|p\\.? ?s|p\\.? ?p\\.? ?s|re|fwd?|https?|mailto|www|todo|fixme|e\\.? ?g|i\\.? ?e",
  "hinweise?|anmerkung|notiz|warnung|achtung|vorsicht|wichtig|tipp|beispiel|zum beispiel|siehe auch|kurz gesagt|erinnerung",
  "betreff|datum|uhrzeit|zeit|quelle|zusammenfassung|fazit|korrektur|nachtrag|kapitel|aw|wg|z\\.? ?b|d\\.? ?h",
  "sfx|fx|sound|sounds|sound effects?|music|intro music|outro music|theme|theme music|jingle|ambien[ct]e|applause",
  "geräusche?|musik|intromusik|titelmusik|atmo|applaus|regie|regieanweisung",
];
const ones = "one|two|three|four|five|six|seven|eight|nine";
const einer = "eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun";
const numbers = [
  "\\d[\\d.]{0,6}[a-z]?|[ivxlcdm]{1,8}",
  `${ones}|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:${ones}))?`,
  `${einer}|zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|(?:(?:${einer})und)?(?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)`,
  "(?:one |ein)?hundred|(?:ein)?hundert",
].join("|");
const ordinals =
  "\\d{1,3}(?:\\.|st|nd|rd|th)?|first|second|third|fourth|fifth|last|bonus|special|pilot|final|next|erste[rsn]?|zweite[rsn]?|dritte[rsn]?|vierte[rsn]?|fünfte[rsn]?|letzte[rsn]?";
const parts = [
  "chapter|part|book|section|act|scene|step|figure|table|note|episode|ep|season|series|volume|vol|lesson|unit|day|week|verse|appendix|interlude|segment|track|slide",
  "kapitel|teil|buch|abschnitt|akt|aufzug|auftritt|szene|schritt|abbildung|tabelle|hinweis|folge|staffel|band|lektion|tag|woche|strophe|anhang|folie",
  "chapitre|partie|acte|scène|épisode|saison|tome|capítulo|parte|acto|escena|episodio|temporada|capitolo|atto|scena|puntata|stagione",
  "hoofdstuk|deel|aflevering|bedrijf|scène|rozdział|część|odcinek|глава|часть|эпизод|серия|выпуск|действие|сцена",
].join("|");
const part = `(?:s\\d{1,3} ?ep?\\d{1,4}|(?:${parts})(?:\\.? ?#?\\d[\\d.]{0,6}[a-z]?|\\.? (?:(?:no|nr|number|nummer)\\.? ?)?(?:${numbers})))`;
const partLabel = new RegExp(
  `^(?:(?:${part})(?:[ ,.-]{1,3}(?:${part})){0,2}|(?:the )?(?:${ordinals}) (?:${parts})|prologue?|epilogue?|interlude|cold open|opening|closing)\\.?$`,
  "iu",
);
const label = new RegExp(`^(?:${labels.join("|")})\\.?$`, "iu");

/** Reports whether a name is a word that is no speaker. */
export const isLabel = (name: string): boolean => label.test(name.trim()) || isPart(name);

const longestHeading = 60;
/** Reports whether a name is that of a part of the text: "EPISODE 5", "Part II", "Erster Akt". */
const isPart = (name: string): boolean => partLabel.test(name.trim());

// Words that begin a sentence with a colon more often than they are a name: "Remember: The keys are here."
const openers = new RegExp(
  `^(?:${[
    "remember|think|look|listen|imagine|consider|please|and|but|so|then|also|however|first|second|third|finally|next|today|now|later|well|yes|no|ok|okay",
    "he|she|it|they|we|you|i|this|that|these|those|here|there|if|when|why|how|what|where|who|because|only|one thing|fact|rule|result|reason|problem|solution",
    "plan|idea|goal|answer|question|options?|pros?|cons?|ingredients|method|address|phone|email|price|total|location|place|title|author|language|from|to|cc|bcc|name|age|city",
    "denk daran|merke|schau|hör zu|bitte|und|aber|dann|auch|jedoch|erstens|zweitens|drittens|schließlich|heute|jetzt|später|ja|nein|er|sie|es|wir|ihr|ich|dies|das",
    "hier|dort|wenn|warum|wie|was|wo|wer|weil|regel|ergebnis|grund|problem|lösung|ziel|antwort|frage|zutaten|adresse|telefon|preis|ort|titel|autor|sprache",
  ].join("|")})$`,
  "iu",
);
/** Reports whether a name is more likely the beginning of a sentence: a common word, or words of which one has no capital. */
export const isOpener = (name: string): boolean =>
  openers.test(name) || (name.includes(" ") && !new RegExp(`^${properName}$`, "u").test(name));

const noise =
  /(?:^|[\s:–—-])(?:music|musik|intromusik|sfx|fx|sounds?|applau[sd]e?|applaus|laughter|gelächter|jingle|theme|intro|outro|beep|noises?|geräusche?|static|silence|stille|inaudible|unverständlich|crosstalk|cheering|cheers|footsteps|schritte|door|tür|phone|telefon|ambien[ct]e|fades?|laughs|sighs|lacht|seufzt)(?=$|[\s:,.!–—-])/iu;
/** Reports whether words in brackets describe what is heard beside the speech: "Intro music". */
export const isNoise = (words: string): boolean => noise.test(words);

const mostNoiseWords = 4;
const sentence =
  /[.!?…][^\p{L}]*$|[.!?…] |^(?:i|my|we|our|you|your|is|are|ich|meine?|wir|unsere?|du|deine?|ist)(?![\p{L}])/iu;
/** Reports whether words are a short description of noise, and no sentence about it: "My phone is dead, by the way." */
const isShortNoise = (words: string): boolean =>
  isNoise(words) && !sentence.test(words) && (words.includes(":") || words.split(" ").length <= mostNoiseWords);

const pause = /^\[(?:pause|break)\b/i;
/**
 * Reports whether a line only describes what is heard or done: "(They wait.)", "*[Intro music]*". A pause is markup, and a word
 * in small letters may be a tag that the voice plays: "[whispers]".
 */
export function isDirection(line: string): boolean {
  const plain = line.replace(/^(?:> ?){1,5}/, "");
  const words = plain.replace(leadingTime, "").replace(dash, "").replace(listNumber, "");
  const groups = words.match(/[*_]{0,3}(?:\([^()]{1,200}\)|\[[^[\]|]{1,200}\])[*_]{0,3}/g) ?? [];
  if (groups.length > 1 && groups.join("") === words.replaceAll(/(?<=[)\]*_]) (?=[([*_])/g, ""))
    return groups.every(isOneDirection);
  return isOneDirection(words) || isOneDirection(plain);
}

/** Reports whether words without marks of a list are one description. */
function isOneDirection(line: string): boolean {
  const emphasised = /^([*_]{1,3})([^*_[\]()]{1,60})\1$/.exec(line)?.[2];
  if (emphasised !== undefined) return isShortNoise(emphasised);
  const words = line.replace(/^[*_]{1,3}(?=[([])|(?<=[)\]])[*_]{1,3}$/g, "");
  if (/^\([^()]{1,200}\)$/.test(words)) return true;
  const bracketed = /^\[([^[\]|]{1,200})\]$/.exec(words)?.[1];
  return (
    bracketed !== undefined &&
    !pause.test(words) &&
    (words !== line || isNoise(bracketed) || /^\p{Lu}|[ :]/u.test(bracketed))
  );
}

/** Returns a description of noise at the start or the end of words, with its marks: "*[Intro music]* Welcome."; "" without one. */
export function noiseIn(text: string): string {
  const found = /^[*_]{0,3}[([]([^()[\]|]{1,200})[)\]][*_]{0,3}|[*_]{0,3}[([]([^()[\]|]{1,200})[)\]][*_]{0,3}$/.exec(
    text,
  );
  const words = (found?.[1] ?? found?.[2] ?? "").replace(found?.[0].includes("[") ? /\.$/ : "", "");
  const isTag = /^[*_]{0,3}\[\p{Ll}[\p{Ll}-]*\]/u.test(found?.[0] ?? ""); // one word in small letters: a tag of the voice
  return found && isShortNoise(words) && !isTag ? found[0] : "";
}

export const singleSpaces = (line: string): string => line.trim().replace(/\s+/g, " ");

/** Returns the lines of a text with single spaces. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).map(singleSpaces);

/** Returns a line as it is, and without what may stand before a name: a time, a dash, a number of a list, brackets. */
export function unmarked(line: string): Set<string> {
  const plain = (words: string) =>
    words.replace(leadingTime, "").replace(listNumber, "").replace(emphasis, "").replace(bracketed, "$1");
  const item = line.replace(dash, "");
  return new Set([line, line.replace(leadingTime, ""), item, plain(line), plain(item), plain(line).replace(dash, "")]);
}

/** Returns a line without the dash or the number of a list. */
export const withoutMark = (line: string): string => line.trimStart().replace(dash, "").replace(listNumber, "");

/** Returns what stands before and after the colon of a line such as "[00:12] Anna (quietly): text"; null for another line. */
function colonLine(line: string): Line | null {
  for (const part of unmarked(line)) {
    const match = named.exec(part);
    const name = match?.[1]?.trim();
    if (!match || !name || / [-–—] /.test(name) || (/\d$/.test(name) && /^\d/.test(match[3] ?? ""))) continue; // "Anna 00:12" has no colon of a name
    const direction = match[2]?.trim() ?? "";
    const text = (match[3] ?? "").trim();
    return { name, text, ...(direction && !onlyTime.test(direction) ? { directions: [direction] } : {}) };
  }
  return null;
}

/** Returns the speaker of a line with a name and a time alone; null for another line. */
function timedLine(line: string): Line | null {
  const name = (nameAndTime.exec(line) ?? timeAndName.exec(line))?.[1];
  return name === undefined ? null : { name, text: "" };
}

/** Returns the speaker and the words of a line; null for a line without a speaker. */
export function namedLine(line: string): Line | null {
  const said = timedLine(line) ?? colonLine(line);
  return said && !isLabel(said.name) && !isPartHeading(line) ? said : null;
}

/** Returns the time of a line such as "[00:12] Anna: text" or "Anna 00:12"; "" for another line. */
export function timeOf(line: string): string {
  const before = leadingTime.exec(line)?.[0].trim();
  return before ?? line.replace(timedLine(line)?.name ?? line, "").replace(/^[ ,|–—-]+/, "");
}

/** Reports whether a line is something like "Note: bring a coat". */
export const isLabelled = (line: string): boolean => isLabel(colonLine(line)?.name ?? "") || isPartHeading(line);

/** Reports whether a line is the heading of a part: "EPISODE 5: The Ledger", "# Part II", "EPISODE 5 - The Ledger". */
export function isPartHeading(line: string): boolean {
  const plain = asRead(line).replace(/[*_]{1,3}/g, "");
  const [name = "", ...others] = plain.split(/[:：]/, 2);
  if (others.length > 0) return name.length <= longestHeading && isPart(name);
  const [alone = "", title = ""] = plain.split(/ (?:--|[-–—]) /, 2);
  return plain.length <= longestHeading && !/[.!?…,]$/.test(plain) && isPart(alone) && !/^\p{Ll}/u.test(title);
}

/** Returns the line as it was written, for reading. */
export const written = ({ name, text, directions = [], lead }: Line): string =>
  lead === undefined ? `${name}${directions.map((d) => ` (${d})`).join("")}: ${text}` : lead + text;

/** Returns the lines of speakers who speak only once. */
export function saidOnce(lines: readonly Line[]): Line[] {
  const counts = new Map<string, number>();
  for (const { name } of lines) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  return lines.filter(({ name }) => counts.get(fold(name)) === 1);
}

/** Adds words to a line. */
export function append(line: Line, words: string): void {
  line.text = line.text && words ? `${line.text} ${words}` : line.text || words;
}

/** Returns the lines with words, and directions of lines without any among what is left. */
export function withWords({ title, lines, left, doubtful }: Pasted): Pasted {
  return {
    title,
    lines: lines.filter((line) => line.text),
    doubtful,
    left: [
      ...left,
      ...lines
        .filter((line) => !line.text && !left.some((other) => other.startsWith(`${line.name}: `)))
        .map(({ name, directions }) => [name, ...(directions ?? [])].join(" ")),
    ],
  };
}
