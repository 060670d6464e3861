import { expect, test } from "vitest";
import { headingAt, outlineOf } from "./outline";

const titles = (text: string) => outlineOf(text).map(({ title, level }) => `${level} ${title}`);

test("headings are lines with #, lines above === or ---, bold lines, and numbered chapters", () => {
  const text =
    "# The ferry #\nIt left.\n\nThe harbour\n=====\n\nIt rained.\n\n**A letter**\n\nDear Anna.\n\nChapter 2: Winter\n\n### Notes\nKapitel 12\nEnd.";
  expect(titles(text)).toEqual([
    "1 The ferry",
    "1 The harbour",
    "2 A letter",
    "1 Chapter 2: Winter",
    "3 Notes",
    "1 Kapitel 12",
  ]);
});

test("sentences, hash tags and lines of a paragraph are no headings", () => {
  expect(titles("#1 in the list\nPart of it was\nchapter 3 of the book.\n\nTwo lines\nof text\n---\nmore")).toEqual([]);
  expect(titles(`# ${"long ".repeat(30)}`)).toEqual([]);
  expect(titles("")).toEqual([]);
});

test("the current heading is the one above the cursor", () => {
  const headings = outlineOf("Before.\n\n# One\nText.\n\n# Two\nText.");
  expect([0, 9, 14, 22].map((at) => headingAt(headings, at))).toEqual([-1, 0, 0, 1]);
});

test("a book of 200,000 characters has an outline", () => {
  const text = `# Chapter\n${"A line of a book that goes on and on.\n".repeat(5300)}`;
  expect(outlineOf(text)).toHaveLength(1);
});
