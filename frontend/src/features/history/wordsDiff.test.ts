import { expect, it } from "vitest";
import { understood, wordsDiff } from "./wordsDiff";

const shown = (text: string, heard: string) =>
  wordsDiff(text, heard)
    .map(({ text: word, kind }) => ({ same: word, missing: `-${word}`, extra: `+${word}` })[kind])
    .join(" ");

it("compares words without case, accents and punctuation", () => {
  expect(shown("The ferry to Zürich, at last.", "the ferry to Zurich at last")).toBe("the ferry to Zurich at last");
});

it("marks words that were not heard and words that were heard in addition", () => {
  expect(shown("She lit the lamp by hand.", "She lit lamp by by hound")).toBe("She lit -the lamp by -hand. +by +hound");
  expect(shown("One two", "")).toBe("-One -two");
  expect(shown("", "noise")).toBe("+noise");
});

it("never shows less than nothing understood", () => {
  expect(understood(0.02)).toBeCloseTo(0.98);
  expect(understood(1.4)).toBe(0);
});
