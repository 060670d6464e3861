/** Reports whether a text is a year, or empty. */
export const isYear = (text: string): boolean => /^\d{0,4}$/.test(text);

/** Reports whether a text is an ISBN of 10 or 13 digits whose check digit is correct, or empty. */
export function isIsbn(text: string): boolean {
  const digits = text
    .replace(/^isbn(?:-1[03])?:?\s*/i, "")
    .replace(/[\s-]/g, "")
    .toUpperCase();
  if (digits === "") return true;
  if (/^\d{9}[\dX]$/.test(digits)) {
    const sum = [...digits].reduce((all, digit, i) => all + (10 - i) * (digit === "X" ? 10 : Number(digit)), 0);
    return sum % 11 === 0;
  }
  if (!/^97[89]\d{10}$/.test(digits)) return false;
  return [...digits].reduce((all, digit, i) => all + (i % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}
