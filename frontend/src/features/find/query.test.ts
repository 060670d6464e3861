import { expect, test } from "vitest";
import { emptyQuery, expressionOf, matchesIn, replaceAll, replacementAt, type FindQuery } from "./query";

const query = (part: Partial<FindQuery>): FindQuery => ({ ...emptyQuery, ...part });
const found = (text: string, part: Partial<FindQuery>) =>
  matchesIn(text, expressionOf(query(part))).map(({ from, to }) => text.slice(from, to));

test("a plain search finds signs as typed, in any case unless told otherwise", () => {
  expect(found("Lamp (a), lamp (b)", { search: "lamp (" })).toEqual(["Lamp (", "lamp ("]);
  expect(found("Lamp, lamp", { search: "lamp", matchCase: true })).toEqual(["lamp"]);
  expect(found("Älter, älter", { search: "ÄLTER" })).toEqual(["Älter", "älter"]);
  expect(found("anything", { search: "" })).toEqual([]);
});

test("whole words end where letters of any script end", () => {
  expect(found("Ärger, Är, an Är", { search: "är", wholeWords: true })).toEqual(["Är", "Är"]);
});

test("an expression has groups in its replacement, a plain search does not", () => {
  expect(replaceAll("Anna 12, Ben 7", query({ search: "(\\w+) (\\d+)", replace: "$2 $1", isExpression: true }))).toBe(
    "12 Anna, 7 Ben",
  );
  expect(replaceAll("5 EUR", query({ search: "EUR", replace: "$&" }))).toBe("5 $&");
  expect(found("text", { search: "(", isExpression: true })).toEqual([]);
  expect(found("text", { search: "x*", isExpression: true })).toEqual(["x"]);
});

test("one match is replaced by what all would be", () => {
  const text = "a lamp, a lamp";
  expect(
    replacementAt(text, { from: 10, to: 14 }, query({ search: "(l)amp", replace: "$1ight", isExpression: true })),
  ).toBe("light");
});
