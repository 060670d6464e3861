import { expect, test } from "vitest";
import { locate } from "./locateChunks";

const chunks = ["The lamp was lit.", "She climbed the stairs.", "The ferry passed."];
const states = (text: string, of = chunks) =>
  locate(text, of).map((p) => `${p.chunk}${p.same ? "=" : "~"}${text.slice(p.from, p.to)}`);

test("finds every chunk of an unchanged text", () => {
  expect(states(chunks.join(" "))).toEqual(["0=The lamp was lit.", "1=She climbed the stairs.", "2=The ferry passed."]);
});

test("finds the changed passage and its new text", () => {
  expect(states("The lamp was lit. She ran up the stairs. The ferry passed.")).toEqual([
    "0=The lamp was lit.",
    "1~She ran up the stairs.",
    "2=The ferry passed.",
  ]);
});

test("new text between two chunks belongs to neither", () => {
  expect(
    states("The lamp was lit. A new one. She climbed the stairs. The ferry passed.").map((s) => s.slice(0, 2)),
  ).toEqual(["0=", "1=", "2="]);
});

test("a deleted chunk has no range", () => {
  expect(states("The lamp was lit. The ferry passed.")).toEqual(["0=The lamp was lit.", "2=The ferry passed."]);
});

test("typing at the last word changes a passage", () => {
  expect(states("The lamp was little", ["The lamp was lit"])).toEqual(["0~The lamp was little"]);
});

test("a short chunk that is repeated does not match in place of the others", () => {
  const three = ["Yes.", "No, she said.", "Yes."];
  expect(states("Yes! No, she said. Yes.", three)).toEqual(["0~Yes!", "1=No, she said.", "2=Yes."]);
});

test("elements are not spoken and change nothing", () => {
  expect(states("The <b>lamp</b> was lit. She climbed the stairs.", chunks.slice(0, 2))).toEqual([
    "0=The <b>lamp</b> was lit.",
    "1=She climbed the stairs.",
  ]);
});

test("the signs of a pasted chat stay within their passages, and the lines around code are none", () => {
  const text = "See [the docs](https://e.com) and **more**.\n\n```js\nlet a = 1;\n```\n\nDone.[3]";
  expect(states(text, ["See [the docs](https://e.com) and **more**.", "let a = 1;", "Done.[3]"])).toEqual([
    "0=See [the docs](https://e.com) and **more**.",
    "1=let a = 1;",
    "2=Done.[3]",
  ]);
});

test("signs of headings and scene breaks change nothing, also within a passage", () => {
  const text = "# One #\n\nThe lamp was lit.\n\n* * *\n\n## Two\n\nShe climbed the stairs.";
  expect(states(text, ["One", "The lamp was lit.", "Two", "She climbed the stairs."])).toEqual([
    "0=One",
    "1=The lamp was lit.",
    "2=Two",
    "3=She climbed the stairs.",
  ]);
  const hosted = ["One\n\nThe lamp was lit.\n\n\n\nTwo\n\nShe climbed the stairs."];
  expect(locate(text, hosted).map((r) => [r.from, r.to, r.same])).toEqual([[2, text.length, true]]);
});

test("a long text with every passage changed is compared quickly", () => {
  const many = Array.from(
    { length: 1000 },
    (_, i) => `Sentence number ${i} of a long text with some words in it and then some more until it is long.`,
  );
  const began = performance.now();
  locate(many.join(" ").replaceAll("long", "short"), many);
  expect(performance.now() - began).toBeLessThan(3000);
});
