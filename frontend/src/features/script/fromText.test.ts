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
