import { expect, test } from "vitest";
import { aProfile } from "@/test/fixtures";
import { makeFormat } from "@/i18n/format";
import { bestFirst } from "./rank";
import { describeVoice } from "./voice";

const voice = (name: string, language = "en-US") => describeVoice(aProfile({ name, language }), [], "");
const name = makeFormat("en").language;
const order = (search: string, ...voices: [string, string?][]) =>
  bestFirst(
    voices.map(([title, language]) => voice(title, language)),
    search,
    name,
  ).map((one) => one.name);

test("a search lists names that begin with it, then words, then the language, then what brackets and descriptions say", () => {
  expect(
    order(
      "english",
      ["Chinese (Mandarin, latin as English)", "zh"],
      ["Aria", "en-US"],
      ["Chinenglish", "zh"],
      ["Old English", "ang"],
      ["English (West Midlands)", "en-GB"],
    ),
  ).toEqual(["English (West Midlands)", "Old English", "Aria", "Chinenglish", "Chinese (Mandarin, latin as English)"]);
});

test("a name typed with its brackets is the best match, and accents and case do not matter", () => {
  expect(order("english (west", ["English (America)"], ["English (West Midlands)"])[0]).toBe("English (West Midlands)");
  expect(order("ZOE", ["Old Zoë"], ["Zoë"])).toEqual(["Zoë", "Old Zoë"]);
  expect(order("heart b", ["Lone Heart (b)"], ["Bright Heart"])[0]).toBe("Bright Heart");
});

test("a language is found by its tag and by its name", () => {
  expect(order("de", ["Adele", "fr"], ["Klara", "de-DE"])).toEqual(["Klara", "Adele"]);
  expect(order("German", ["Not German (German)", "fr"], ["Klara", "de-DE"])).toEqual(["Not German (German)", "Klara"]);
});

test("without a search the order stays", () => {
  expect(order(" ", ["B"], ["A"])).toEqual(["B", "A"]);
});
