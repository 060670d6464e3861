import { expect, it } from "vitest";
import { aSegment } from "@/test";
import { changesBetween, isRepeatable, withChanges } from "./changes";
import { emptyQuery, type FindQuery } from "@/features/find";
import { findIn, replaceIn } from "./find";
import { paragraphsOf, textOf } from "./paragraphs";
import { partsOf, piecesOf, unsureWords } from "./pieces";
import { assignSpeaker, speakerClass, speakersOf } from "./speakers";
import { spotAt, timelineOf } from "./timeline";

const query = (part: Partial<FindQuery>): FindQuery => ({ ...emptyQuery, ...part });
const word = (text: string, start: number, probability = 0.9) => ({ word: text, start, end: start + 0.4, probability });

it("a paragraph begins where the server says so, and with another speaker", () => {
  const segments = [
    aSegment({ id: 0, text: "One.", start: 0, end: 1 }),
    aSegment({ id: 1, text: "Two.", start: 1, end: 2 }),
    aSegment({ id: 2, text: "Three.", start: 2, end: 3, speaker: "Ada" }),
    aSegment({ id: 3, text: "Four.", start: 3, end: 4, speaker: "Ada", paragraph: true }),
  ];
  const paragraphs = paragraphsOf(segments);
  expect(paragraphs.map(textOf)).toEqual(["One. Two.", "Three.", "Four."]);
  expect(paragraphs[0]).toMatchObject({ id: 0, start: 0, end: 2 });
});

it("joins Japanese without spaces", () => {
  expect(textOf({ segments: [aSegment({ text: "これは。" }), aSegment({ text: "本です" })] })).toBe("これは。本です");
});

it("splits a text at its words, and leaves out words that it does not contain", () => {
  const segment = aSegment({ text: "Well, the Lamp.", words: [word(" Well,", 0), word(" gone", 1), word(" Lamp", 2)] });
  expect(piecesOf(segment).map((piece) => [piece.text, piece.word])).toEqual([
    ["Well,", 0],
    [" the ", -1],
    ["Lamp", 2],
    [".", -1],
  ]);
});

it("leaves out the blank that the model wrote before a segment", () => {
  const segment = aSegment({ text: " The lamp. ", words: [word(" The", 0), word(" lamp.", 1)] });
  expect(piecesOf(segment)).toEqual([
    { text: "The", word: 0, from: 1 },
    { text: " ", word: -1, from: 4 },
    { text: "lamp.", word: 1, from: 5 },
  ]);
  expect(piecesOf(aSegment({ text: " The lamp.", words: [] }))).toEqual([{ text: "The lamp.", word: -1, from: 1 }]);
  expect(piecesOf(aSegment({ text: " ", words: [] }))).toEqual([]);
});

it("finds words without their accents and case, also across words", () => {
  const segments = [aSegment({ id: 4, text: "Die Straße nach Zürich. Zurich!" })];
  expect(findIn(segments, query({ search: "zurich" })).map(({ from, to }) => [from, to])).toEqual([
    [16, 22],
    [24, 30],
  ]);
  expect(findIn(segments, query({ search: "strasse n" }))[0]?.hits).toEqual([{ segment: 4, from: 4, to: 12 }]);
  expect(findIn(segments, query({ search: "  " }))).toEqual([]);
});

it.each([
  ["Straße", "s", [0]],
  ["Straße", "as", []],
  ["Straße", "se", []],
  ["Straße", "sse", [4]],
  ["Straße", "strasse", [0]],
  ["Messe, Masse ß", "ss", [2, 9, 13]],
  ["ßs", "s", [1]],
  ["Œuvre, œuvre", "e", [4, 11]],
  ["Cæsar", "a", [3]],
  ["각, 가", "가", [3]],
  ["I\u0307zmir, İzmir", "iz", [0, 8]],
  ["cafe\u0301", "cafe", [0]],
  ["Ο ΛΟΓΟΣ, ο λόγος", "λογος", [2, 11]],
])("in %s, a search for %s begins and ends between two characters", (text, search, at) => {
  expect(findIn([aSegment({ text })], query({ search })).map(({ from }) => from)).toEqual(at);
});

/** Replaces all matches in sentences of two paragraphs, and returns what the transcript says then. */
function replaced(part: Partial<FindQuery>): string[] {
  const segments = [
    aSegment({ id: 0, text: " Mr Tinan lit the lamp of" }),
    aSegment({ id: 1, text: " the light house. Um," }),
    aSegment({ id: 2, text: "um." }),
    aSegment({ id: 3, text: " The lamps of Tinan, Straße 5", paragraph: true }),
  ];
  const { changes } = replaceIn(segments, findIn(segments, query(part)), query(part));
  return withChanges(segments, changes).map(({ text }) => text);
}

it.each<[string, Partial<FindQuery>, string[]]>([
  ["a name", { search: "tinan", replace: "Tynan" }, ["Mr Tynan lit the lamp of", "The lamps of Tynan, Straße 5"]],
  [
    "only in the same case",
    { search: "the", replace: "a", matchCase: true },
    ["Mr Tinan lit a lamp of", "a light house. Um,"],
  ],
  ["whole words", { search: "lamp", replace: "light", wholeWords: true }, ["Mr Tinan lit the light of"]],
  ["without accents", { search: "strasse", replace: "Road" }, ["The lamps of Tinan, Road 5"]],
  ["signs of expressions as they are", { search: "Straße 5", replace: "$1 \\d" }, ["The lamps of Tinan, $1 \\d"]],
  [
    "by an expression",
    { search: "(\\w+) of\\b", replace: "<$1>", isExpression: true },
    ["Mr Tinan lit the <lamp>", "The <lamps> Tinan, Straße 5"],
  ],
  [
    "with the space after a word",
    { search: "f ", replace: "ff " },
    ["Mr Tinan lit the lamp off", "The lamps off Tinan, Straße 5"],
  ],
  [
    "with the space before a word",
    { search: " li", replace: " Li" },
    ["Mr Tinan Lit the lamp of", "the Light house. Um,"],
  ],
  ["a space", { search: " ", replace: "_" }, ["Mr_Tinan_lit_the_lamp_of", "the_light_house._Um,", "um."]],
  ["a space in the same case", { search: " ", replace: "_", matchCase: true }, ["the_light_house._Um,", "um."]],
  [
    "over the end of a sentence",
    { search: "lamp of the light house", replace: "lighthouse" },
    ["Mr Tinan lit the lighthouse", ". Um,"],
  ],
])("replaces %s", (_, part, changed) => {
  expect(replaced(part)).toEqual(expect.arrayContaining(changed));
});

it("replaces nothing without a space where a space was searched for", () => {
  const before = replaced({ search: "", replace: "" });
  expect(replaced({ search: "a ", replace: "the " })).toEqual(before);
  expect(replaced({ search: " house ", replace: "home" })).toEqual(before);
  expect(findIn([aSegment({ text: "One." }), aSegment({ id: 1, text: "Two." })], query({ search: " " }))).toEqual([]);
});

it("removes a sentence whose text is replaced by nothing, and finds nothing over the end of a paragraph", () => {
  expect(replaced({ search: "um.", replace: "" })).toHaveLength(3);
  expect(replaced({ search: "um. the", replace: "x" })).toContain("um.");
});

it("marks the part of a word that a search found", () => {
  const hit = { segment: 0, from: 2, to: 6 };
  expect(partsOf({ text: "lamp", word: 0, from: 4 }, [hit])).toEqual([
    { text: "la", hit },
    { text: "mp", hit: null },
  ]);
});

it("lists the words that the model was unsure of, but no punctuation", () => {
  const segment = aSegment({ id: 7, words: [word(" parish", 1, 0.59), word(" book", 2, 0.6), word(".", 3, 0.1)] });
  expect(unsureWords([segment])).toEqual([{ segment: 7, word: 0, text: "parish", start: 1, probability: 0.59 }]);
});

it("knows the word under the playhead, and marks none in a long pause", () => {
  const timeline = timelineOf([
    aSegment({ id: 0, words: [word("a", 0), word("b", 0.5)] }),
    aSegment({ id: 1, start: 5, end: 6, words: [] }),
  ]);
  expect(spotAt(timeline, 0.45)).toMatchObject({ segment: 0, word: 0 });
  expect(spotAt(timeline, 0.5)).toMatchObject({ word: 1 });
  expect(spotAt(timeline, 3)).toBeUndefined();
  expect(spotAt(timeline, 5.5)).toMatchObject({ segment: 1, word: -1 });
  expect(spotAt([], 1)).toBeUndefined();
});

it("names a speaker for a paragraph or from there on, and renames everywhere", () => {
  const segments = [
    aSegment({ id: 0 }),
    aSegment({ id: 1, paragraph: true }),
    aSegment({ id: 2 }),
    aSegment({ id: 3, paragraph: true, speaker: "Ben" }),
  ];
  expect(assignSpeaker(segments, 1, "paragraph", "Ada")).toEqual([
    { id: 1, speaker: "Ada" },
    { id: 2, speaker: "Ada" },
  ]);
  expect(assignSpeaker(segments, 2, "onwards", "Ben")).toEqual([{ id: 2, speaker: "Ben" }]);
  expect(speakersOf(withChanges(segments, [{ id: 0, speaker: "Ada" }]))).toEqual(["Ada", "Ben"]);
  expect(speakerClass(["Ada", "Ben"], "Ben")).toBe("sp-2");
});

it("knows what changed between two versions, unless they have other segments", () => {
  const before = [aSegment({ id: 0, text: "a", words: [word("a", 0)] }), aSegment({ id: 1, text: "b" })];
  const after = withChanges(before, [{ id: 0, text: "c" }]);
  expect(after[0]?.words).toEqual([]);
  expect(changesBetween(after, before)).toEqual({ segments: [{ id: 0, text: "a" }] });
  expect(changesBetween(after, before.slice(1))).toEqual({ segments: [{ id: 0, text: "" }] });
  expect(changesBetween(before.slice(1), after)).toBeNull();
});

it("makes an undone name of found speakers again by their names, and no search", () => {
  const found = ["A", "B", "A"].map((speaker, id) => aSegment({ id, speaker, speaker_found: true }));
  const named = (names: Record<string, string>) =>
    found.map((segment) => ({ ...segment, speaker: names[segment.speaker] ?? segment.speaker }));
  expect(changesBetween(found, named({ A: "Anna" }))).toEqual({ speakers: [{ name: "A", new_name: "Anna" }] });
  expect(changesBetween(found, named({ A: "B" }))).toEqual({ speakers: [{ name: "A", new_name: "B" }] });
  const none = found.map((segment) => ({ ...segment, speaker: "", speaker_found: false }));
  expect(changesBetween(none, found)).toBeNull();
  expect(changesBetween(found, withChanges(found, [{ id: 0, speaker: "A" }]))).toEqual({
    segments: [{ id: 0, speaker: "A" }], // confirmed
  });
  const step = { changes: { segments: [{ id: 0, text: "New." }] }, from: found };
  expect(isRepeatable(step, found)).toBe(true);
  expect(isRepeatable(step, withChanges(found, [{ id: 1, text: "Other." }]))).toBe(true);
  expect(isRepeatable(step, withChanges(found, [{ id: 0, text: "Cut" }]))).toBe(false); // where the speaker changes
  const again = found.map((segment, i) => (i === 0 ? { ...segment, speaker: "B" } : segment));
  expect(changesBetween(found, again)).toBeNull();
});
