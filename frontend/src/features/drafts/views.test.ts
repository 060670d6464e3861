import { expect, test } from "vitest";
import type { DraftContent } from "@/api/drafts";
import { aProfile } from "@/test";
import { fromText } from "@/features/script/fromText";
import { derivedTitle, emptyScript, type ScriptContent } from "@/features/script/model";
import { nameOf } from "./name";
import { fromScript } from "@/features/studio/drafts/fromScript";
import { parseText, serializeText, textOf } from "@/features/studio/drafts/textDocument";

const voices = [aProfile({ name: "Heart" }), aProfile({ name: "Emma" })];
const names = ["Speaker 1", "Speaker 2"] as const;

const toScript = (content: DraftContent): ScriptContent => {
  const made = fromText(content, { title: "Winter", names, voices, playsTag: () => true });
  if (!made) throw new Error("no text");
  return made.script;
};
const toText = (script: ScriptContent): DraftContent => {
  const made = fromScript({ ...script });
  if (!made) throw new Error("no script");
  return JSON.parse(JSON.stringify(serializeText(made))) as DraftContent; // as the server returns it
};
const spoken = (script: ScriptContent) =>
  script.turns.map(({ speakerId, text }) => `${script.speakers.find(({ id }) => id === speakerId)?.name}|${text}`);
const words = (text: unknown) => String(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns numbers that look random, the same ones in each run. */
function random(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}
const pieces = [
  "Anna: ",
  "BEN: ",
  "Note: ",
  "\n",
  "\n\n",
  " \n\n\n",
  "a lamp",
  "It rained.",
  " ",
  "10:30",
  "# One",
  "“No”, ",
  "\t",
];
function anyText(next: (limit: number) => number): string {
  return Array.from({ length: next(30) }, () => pieces[next(pieces.length)]).join("");
}

test("Name lines become turns, and the other way round", () => {
  const script = toScript({ text: "Anna: One.\n\nBen: Two.\nMore.\n\nAnna: Three.", profile_id: voices[1]?.id });
  expect(spoken(script)).toEqual(["Anna|One.", "Ben|Two.\nMore.", "Anna|Three."]);
  expect(new Set(script.speakers.map(({ profileId }) => profileId)).size).toBe(2);
  const edited = { ...script, turns: script.turns.map((turn, i) => (i === 2 ? { ...turn, text: "Four." } : turn)) };
  expect(toText(edited).text).toBe("Anna: One.\n\nBen: Two.\nMore.\n\nAnna: Four.");
});

test("both views have the same first words, and a heading before a dialogue is said by no one", () => {
  for (const text of ["# A walk\n\nIt rained.", "Anna: One.\n\nBen: Two.", "# A walk\n\nAnna: One.\n\nBen: Two."]) {
    const script = toScript({ text });
    expect(derivedTitle(script)).toBe(nameOf(text, ""));
    const last = script.turns.length - 1;
    const edited = {
      ...script,
      turns: script.turns.map((turn, i) => (i === last ? { ...turn, text: "Three." } : turn)),
    };
    expect(nameOf(String(toText(edited).text), "")).toBe(nameOf(text, ""));
  }
});

test("a text without names is a script of one speaker with the voice of the text, a turn for each paragraph", () => {
  const script = toScript({ text: "It rained.\n\nAll day.", profile_id: voices[1]?.id });
  expect(spoken(script)).toEqual(["Speaker 1|It rained.", "Speaker 1|All day."]);
  expect(script.speakers[0]?.profileId).toBe(voices[1]?.id);
  const [first] = script.turns;
  expect(toText({ ...script, turns: first ? [first] : [] }).text).toBe("It rained.");
});

test("a book has no more turns than a script may have, and all its paragraphs", () => {
  const text = Array.from({ length: 1234 }, (_, i) => `Paragraph ${i}.`).join("\n\n");
  const script = toScript({ text });
  expect(script.turns.length).toBeLessThanOrEqual(200);
  expect(script.turns.map((turn) => turn.text).join("\n\n")).toBe(text);
});

test("changing the view and back loses nothing of any text", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const next = random(seed);
    const content = {
      ...serializeText(
        parseText({ text: anyText(next), profile_id: voices[0]?.id, seed: next(9), named: next(2) === 1 }),
      ),
    };
    const script = toScript(content);
    expect(words(spoken(script).join(" "))).toEqual(expect.arrayContaining(words(content.text)));
    const { source, ...back } = toText(script);
    expect(back).toEqual(content);
    expect(source).toBeDefined();
    expect(spoken(toScript({ ...back, source }))).toEqual(spoken(script));
  }
});

test("changing the view and back loses nothing of any script, nor its audio", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const next = random(seed);
    const start = emptyScript(["Anna", "Ben: or not"], "p");
    const script: ScriptContent = {
      ...start,
      title: "Winter",
      gapMs: 100 * next(9),
      scriptId: "s1",
      turns: Array.from({ length: 1 + next(6) }, (_, i) => ({
        id: `t${i}`,
        speakerId: start.speakers[next(2)]?.id ?? "",
        text: anyText(next),
        ...(next(2) === 1 ? { spoken: { generationId: `g${i}`, text: "x", profileId: "p" } } : {}),
      })),
    };
    const { source, ...back } = toScript(toText(script));
    expect(back).toEqual(script);
    expect(source).toBeDefined();
  }
});

test("turns that the text still has keep their audio when it was edited", () => {
  const script = toScript({ text: "Anna: One.\n\nBen: Two.\n\nAnna: Three." });
  const turns = script.turns.map((turn, i) => ({
    ...turn,
    spoken: { generationId: `g${i}`, text: turn.text, profileId: "p" },
  }));
  const text = toText({ ...script, turns });
  const after = toScript({ ...text, text: "Anna: One.\n\nBen: Two, and more.\n\nEva: New.\n\nAnna: Three." });
  expect(spoken(after)).toEqual(["Anna|One.", "Ben|Two, and more.", "Eva|New.", "Anna|Three."]);
  expect(after.turns.map((turn) => turn.spoken?.generationId)).toEqual(["g0", undefined, undefined, "g2"]);
  expect(textOf(parseText(text))).toContain("Ben: Two.");
});
