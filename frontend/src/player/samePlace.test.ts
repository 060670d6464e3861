import { expect, test } from "vitest";
import { samePlace } from "./samePlace";

/** A version whose chunks last two seconds each. */
const version = (...texts: string[]) => ({
  chunks: texts.map((text, i) => ({ text, start: 2 * i, end: 2 * i + 2, take: 0, takes: 1 })),
  duration: 2 * texts.length,
});
const former = version("One.", "Two.", "Three.");

test.each([
  { what: "a chunk that moved", next: version("New.", "One.", "Two.", "Three."), at: 2.5, to: 4.5 },
  { what: "a changed chunk, from its start", next: version("One.", "Other.", "Three."), at: 3.5, to: 2 },
  { what: "the nearest of equal chunks", next: version("Two.", "Two.", "One."), at: 3, to: 3 },
  { what: "the end where the last chunk was removed", next: version("One."), at: 5, to: 2 },
])("a new version plays on at $what", ({ next, at, to }) => expect(samePlace(former, next, at)).toBe(to));
