/** Pseudo-locales for tests: en-XA has long words with accents, en-XB runs from right to left. */
export const pseudoLanguages: readonly string[] = ["en-XA", "en-XB"];

type Texts = Record<string, unknown>;
const accents: Record<string, string> = {
  a: "á",
  e: "é",
  i: "í",
  o: "ö",
  u: "ü",
  n: "ñ",
  c: "ç",
  A: "Á",
  E: "É",
  O: "Ö",
  U: "Ü",
};

function longer(text: string): string {
  const words = text
    .split(/({{.*?}}|<.*?>)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/[aeiouncAEOU]/g, (c) => accents[c] ?? c)));
  return `[${words.join("")}${"~".repeat(Math.ceil(text.length * 0.4))}]`;
}

function mirrored(text: string): string {
  return `\u202e${text
    .split(/({{.*?}}|<.*?>)/)
    .map((part, i) => (i % 2 === 1 ? `\u202c${part}\u202e` : part))
    .join("")}\u202c`;
}

export function pseudo(language: string, texts: Texts): Texts {
  const change = language === "en-XA" ? longer : mirrored;
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === "string" ? change(value) : pseudo(language, value as Texts),
    ]),
  );
}
