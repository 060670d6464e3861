import { expect, test } from "vitest";
import { fromText } from "./fromText";

const options = { title: "", names: ["Host", "Guest"] as const, voices: [], playsTag: () => false };
const made = (text: string) => {
  const found = fromText({ text }, options);
  const nameOf = (id: string) => found?.script.speakers.find((speaker) => speaker.id === id)?.name;
  return {
    turns: found?.script.turns.map((turn) => [nameOf(turn.speakerId), turn.text]),
    left: found?.left,
    doubtful: found?.doubtful,
  };
};

test("lines with times before or beside the names are turns, and their times are said to be left out", () => {
  expect(made("[00:12] Anna: Hello there.\n[00:15] Ben: Hi Anna.\n[00:20] Anna: How are you?")).toEqual({
    turns: [
      ["Anna", "Hello there."],
      ["Ben", "Hi Anna."],
      ["Anna", "How are you?"],
    ],
    left: ["[00:12] [00:15] [00:20]"],
    doubtful: [],
  });
  expect(made("Anna   00:12\nHello there.\n\nBen [00:15]\nHi  Anna.\n\nAnna 00:20\nBye.")).toEqual({
    turns: [
      ["Anna", "Hello there."],
      ["Ben", "Hi  Anna."],
      ["Anna", "Bye."],
    ],
    left: ["00:12 [00:15] 00:20"],
    doubtful: ["Ben: Hi  Anna."],
  });
  expect(made("Anna: two  spaces.\nBen: Yes.").turns?.[0]).toEqual(["Anna", "two  spaces."]);
});

test("a text with times alone is one of one speaker", () => {
  expect(made("10:30 lunch\n11:00 work")).toEqual({
    turns: [["Host", "10:30 lunch\n11:00 work"]],
    left: [],
    doubtful: [],
  });
});

const two = [
  ["Anna", "Hi, Ben."],
  ["Ben", "Hello - at last."],
  ["Anna", "Bye."],
];
test.each([
  "Anna - Hi, Ben.\nBen - Hello - at last.\nAnna - Bye.",
  "Anna — Hi, Ben.\r\nBen — Hello - at last.\r\nAnna — Bye.",
  "Anna\tHi, Ben.\nBen\tHello - at last.\nAnna\tBye.",
  "1. Anna: Hi, Ben.\n2) Ben: Hello - at last.\n3. Anna: Bye.",
  "[Anna] Hi, Ben.\n[Ben] Hello - at last.\n[Anna] Bye.",
  "> Anna: Hi, Ben.\n> Ben: Hello - at last.\n> Anna: Bye.",
  "<v Anna>Hi, Ben.\n<v.loud Ben>Hello - at last.</v>\n<v Anna>Bye.",
  '\ufeffspeaker,text\nAnna,"Hi, Ben."\nBen,Hello - at last.\nAnna,Bye.',
])("a text in a form of scripts has the turns that it has when it is pasted: %s", (text) => {
  expect(made(text)).toEqual({ turns: two, left: [], doubtful: [] });
});

test("noise and headings of parts are said to be left out, and sentences are no turns", () => {
  expect(
    made("EPISODE 5: The Ledger\n*[Intro music]*\nAnna: Hi.\n[SFX: door]\nBen: *[Applause]* Yes.\nAnna: Bye."),
  ).toEqual({
    turns: [
      ["Anna", "Hi."],
      ["Ben", "Yes."],
      ["Anna", "Bye."],
    ],
    left: ["EPISODE 5: The Ledger", "*[Intro music]*", "[SFX: door]", "Ben: *[Applause]*"],
    doubtful: [],
  });
  expect(made("He came - late.\nShe left - early.").turns).toEqual([["Host", "He came - late.\nShe left - early."]]);
});

test("lines of a name that is text go on with the turn before", () => {
  const text = "Anna: Hi.\nBen: Yes.\nAnna: Good.\nRemember: The keys are here.\nBen: Bye.";
  expect(made(text).doubtful).toEqual(["Remember: The keys are here."]);
  const script = fromText({ text }, { ...options, asText: new Set(["remember"]) })?.script;
  expect(script?.turns.map((turn) => turn.text)).toEqual([
    "Hi.",
    "Yes.",
    "Good.\nRemember: The keys are here.",
    "Bye.",
  ]);
});
