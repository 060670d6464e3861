import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { DraftContent } from "@/api/drafts";
import { speakerOf } from "./model";
import { parseScript } from "./scriptStore";

it("reads the script that the server makes of a transcript", () => {
  const content = JSON.parse(
    readFileSync("../backend/transcribe/cast/testdata/interview.json", "utf8"),
  ) as DraftContent;
  const script = parseScript(content);
  expect(script).toEqual(content);
  expect(script?.turns.map((turn) => [speakerOf(script, turn)?.name, turn.text])).toEqual([
    ["Anna", "Hello."],
    ["Ben", "Yes?"],
    ["Anna", "Bye."],
  ]);
});
