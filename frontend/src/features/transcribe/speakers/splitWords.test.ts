import { expect, it } from "vitest";
import { aSegment } from "@/test";
import { splitWordsOf } from "./splitWords";

const heard = (word: string, start: number) => ({ word, start, end: start + 0.5, probability: 1 });

it("counts the words of each segment, and keeps the parts of a word together", () => {
  const segments = [
    aSegment({
      id: 4,
      text: " Well, un likely.",
      words: [heard(" Well", 1), heard(",", 1.2), heard(" un", 2), heard(" like", 3), heard("ly.", 4)],
    }),
    aSegment({ id: 5, start: 6, text: "Not so.", words: [] }),
  ];
  expect(splitWordsOf({ segments })).toEqual([
    { segment: 4, word: 1, text: "Well,", start: 1 },
    { segment: 4, word: 3, text: "un", start: 2 },
    { segment: 4, word: 4, text: "likely.", start: 3 },
    { segment: 5, word: 1, text: "Not", start: 6 },
    { segment: 5, word: 2, text: "so.", start: 6 },
  ]);
});

it("splits between the words of scripts without spaces", () => {
  const segments = [aSegment({ id: 1, text: "你好世界", words: [heard("你好", 0), heard("世界", 1)] })];
  expect(splitWordsOf({ segments }).map(({ text, word }) => [text, word])).toEqual([
    ["你好", 1],
    ["世界", 2],
  ]);
});
