import { expect, test } from "vitest";
import { maxCharacters } from "../drafts/textDocument";
import { splitText } from "./split";

const sentence = (i: number) => `Sentence ${i} tells how the draftStore lit the lamp and waited for the ferry.`;
const paragraph = (i: number) => Array.from({ length: 8 }, (_, n) => sentence(i * 8 + n)).join(" ");
const chapter = (heading: string, paragraphs: number) =>
  [heading, ...Array.from({ length: paragraphs }, (_, i) => paragraph(i))].join("\n\n");
const novel = (headings: string[], paragraphs: number) =>
  headings.map((heading) => chapter(heading, paragraphs)).join("\n\n");
const fits = (parts: string[], text: string, limit: number) => {
  expect(parts.join("")).toBe(text);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(limit);
};

test.each([
  ["Chapter 1", "Chapter 2"],
  ["KAPITEL EINS", "KAPITEL ZWEI"],
  ["# One", "# Two"],
  ["I", "II"],
  ["1.", "2."],
  ["Глава 1", "Глава 2"],
  ["The lamp", "The ferry"],
  ["第一章", "第二章"],
])("a novel is split where chapters begin: %s", (...pair) => {
  const text = novel([...pair, ...pair, ...pair], 4);
  const parts = splitText(text, 6_000);
  fits(parts, text, 6_000);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(pair).toContain(part.split("\n")[0]);
});

test("622,000 characters become four drafts of about the same length", () => {
  const text = novel(
    Array.from({ length: 24 }, (_, i) => `Chapter ${i + 1}`),
    45,
  ).slice(0, 622_000);
  const parts = splitText(text);
  fits(parts, text, maxCharacters);
  expect(parts).toHaveLength(4);
  expect(Math.min(...parts.map((part) => part.length))).toBeGreaterThan(120_000);
  expect(parts.every((part) => part.startsWith("Chapter "))).toBe(true);
});

test("without chapters it is split at paragraphs, lines, sentences, words, and finally anywhere", () => {
  const paragraphs = Array.from({ length: 30 }, (_, i) => paragraph(i)).join("\n\n");
  const lines = Array.from({ length: 300 }, (_, i) => sentence(i)).join("\n");
  const sentences = Array.from({ length: 300 }, (_, i) => sentence(i)).join(" ");
  for (const text of [paragraphs, lines, sentences]) {
    const parts = splitText(text, 5_000);
    fits(parts, text, 5_000);
    for (const part of parts) expect(part).toMatch(/^Sentence \d+ .*ferry\.\s*$/s);
  }
  const plain = "lamp ".repeat(5_000);
  expect(splitText(plain, 5_000).every((part) => part.startsWith("lamp "))).toBe(true);
  const faces = "😀".repeat(4_000);
  const parts = splitText(faces, 999);
  fits(parts, faces, 999);
  expect(parts.every((part) => !/^[\uDC00-\uDFFF]/.test(part))).toBe(true);
  fits(splitText("\n".repeat(12_000), 5_000), "\n".repeat(12_000), 5_000);
});

test("a text that fits is not split, and five million characters are split quickly", () => {
  expect(splitText("A quiet room.")).toEqual(["A quiet room."]);
  const text = novel(
    Array.from({ length: 200 }, (_, i) => `Chapter ${i + 1}`),
    44,
  );
  expect(text.length).toBeGreaterThan(5_000_000);
  const began = performance.now();
  const parts = splitText(text);
  expect(performance.now() - began).toBeLessThan(5_000);
  fits(parts, text, maxCharacters);
});
