import { describe, expect, it } from "vitest";
import { languageChoices, makeFormat } from "./format";

describe("a duration", () => {
  it.each(["en", "de"])("is said in one way in %s", (language) => {
    const { duration } = makeFormat(language);
    const said = [0.2, 8, 59, 89, 90, 600, 5400].map(duration).map((text) => text.replace("\u00a0", " "));
    expect(said).toEqual(["1 s", "8 s", "59 s", "89 s", "2 min", "10 min", language === "de" ? "1,5 h" : "1.5 h"]);
  });

  it("stays on one line", () => expect(makeFormat("en").duration(20)).toBe("20\u00a0s"));
});

describe("a span of time", () => {
  it("has tenths where its ends would look the same", () => {
    const { span } = makeFormat("en");
    expect([span(3, 7.4), span(0.2, 0.83), span(59.96, 59.98), span(65.1, 65.4)]).toEqual([
      "0:03–0:07",
      "0:00.2–0:00.8",
      "1:00.0–1:00.0",
      "1:05.1–1:05.4",
    ]);
    expect(makeFormat("de").span(0, 0.5)).toBe("0:00,0–0:00,5");
    expect(span(3, 7.4, true)).toBe("0:03.0–0:07.4");
  });
});

describe("the length of audio", () => {
  it("is never nothing where there is sound", () => {
    expect([0, 0.04, 0.7, 1.2, 47.9].map(makeFormat("en").length)).toEqual([
      "0:00",
      "0:00.1",
      "0:00.7",
      "0:01",
      "0:47",
    ]);
  });
});

describe("the names of languages", () => {
  it("exist for languages of our models that browsers do not know", () => {
    expect(["ba", "bo"].map(makeFormat("en").language)).toEqual(["Bashkir", "Tibetan"]);
    expect(["ba", "bo"].map(makeFormat("de").language)).toEqual(["Baschkirisch", "Tibetisch"]);
  });
  it("have a country only where it adds information", () => {
    const names = (language: string) =>
      ["de", "de-DE", "de-AT", "zh-CN", "zh-TW", "en-US", "en-GB", "no-NO", "nl-BE"].map(makeFormat(language).language);
    expect(names("en")).toEqual([
      "German",
      "German",
      "Austrian German",
      "Chinese",
      "Chinese (Taiwan)",
      "American English",
      "British English",
      "Norwegian",
      "Flemish",
    ]);
    expect(names("de").slice(0, 6)).toEqual([
      "Deutsch",
      "Deutsch",
      "Österreichisches Deutsch",
      "Chinesisch",
      "Chinesisch (Taiwan)",
      "Englisch (USA)",
    ]);
    expect(makeFormat("en").language("not a tag")).toBe("not a tag");
  });

  it("appear in a list once, with the current one", () => {
    const { language } = makeFormat("en");
    const tags = ["en", "de", "en-US", "de-DE", "en-GB", "zh", "zh-CN"];
    expect(languageChoices(tags, language)).toEqual([
      { value: "en-US", label: "American English" },
      { value: "en-GB", label: "British English" },
      { value: "zh-CN", label: "Chinese" },
      { value: "de-DE", label: "German" },
    ]);
    expect(languageChoices(tags, language, "de").map(({ value }) => value)).toEqual(["en-US", "en-GB", "zh-CN", "de"]);
    expect(languageChoices(["en", "en-US"], language, "en")).toEqual([{ value: "en", label: "English" }]);
  });
});
