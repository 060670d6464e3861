import { describe, expect, test } from "vitest";
import { aGeneration } from "@/test";
import { changeRows, mergePage, toRow, type HistoryRow, type RowPage, type RowPages } from "./rows";

const row = (id: string): HistoryRow => toRow(aGeneration({ id }));
const page = (ids: string, next: string | null): RowPage => ({
  rows: [...ids].map(row),
  next,
  total: 9,
  capped: false,
  limit: 3,
});
const list = (...pages: RowPage[]): RowPages => ({
  pages,
  pageParams: [undefined, ...pages.slice(0, -1).map((p) => p.next ?? undefined)],
});
const ids = (data: RowPages) => data.pages.map((p) => p.rows.map((r) => r.id).join("")).join("|");

describe("a refetched page", () => {
  const before = list(page("abc", "c"), page("def", "f"), page("ghi", null));
  test.each([
    ["new rows stand on top and push nothing out", 0, page("xab", "b"), "xabc|def|ghi"],
    ["a row that is gone is gone, and its neighbour is not twice", 0, page("acd", "d"), "acdef|ghi"],
    ["many that are gone over the border", 0, page("ade", "e"), "adef|ghi"],
    ["nothing known in it: the list starts anew", 0, page("xyz", "z"), "xyz"],
    ["a later page, in place", 1, page("efg", "g"), "abc|efghi"],
    ["the end of the list", 1, page("de", null), "abc|de"],
    ["a page that is no longer there at all changes nothing", 2, page("xyz", "z"), "abc|def|ghi"],
  ])("%s", (_, index, fresh, after) => {
    const merged = mergePage(before, index, fresh);
    expect(ids(merged)).toBe(after);
    expect(merged.pageParams).toHaveLength(merged.pages.length);
  });

  test("continues where the list continued before", () => {
    expect(mergePage(list(page("abc", "c")), 0, page("xab", "b")).pages.at(-1)?.next).toBe("c");
  });
});

test("a heading is shown without its mark", () => {
  const text = "# Winter\n\nIt rained.\n\n## Day 2 of #1\nSnow.";
  const hit = toRow({ ...aGeneration({ text }), highlight: "# <mark>Winter</mark>\n\nIt rained." });
  expect(hit.text).toBe("Winter It rained. Day 2 of #1 Snow.");
  expect(hit.highlight).toBe("<mark>Winter</mark>\n\nIt rained.");
});

test("changes and removes rows in place", () => {
  const before = list(page("abc", "c"), page("def", null));
  const after = changeRows(before, new Set(["b", "d"]), (r) => (r.id === "d" ? null : { ...r, favorite: true }));
  expect(ids(after)).toBe("abc|ef");
  expect(after.pages[0]?.rows[1]?.favorite).toBe(true);
  expect(changeRows(before, new Set(["z"]), () => null)).toBe(before);
});

test("shortens a long text to one line", () => {
  const long = toRow(aGeneration({ text: `One\n\n  two ${"x".repeat(100_000)}` }));
  expect(long.text).toHaveLength(240);
  expect(long.text.startsWith("One two x")).toBe(true);
});
