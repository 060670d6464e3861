const letters: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" };

/** Returns the text without accents and case, so that "offnen" finds "Öffnen". */
export function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđıς]/g, (c) => letters[c] ?? c);
}

/** Reports whether each word of a search is in one of the texts. */
export function finds(search: string, texts: readonly string[]): boolean {
  const all = fold(texts.join("\n"));
  return fold(search)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
