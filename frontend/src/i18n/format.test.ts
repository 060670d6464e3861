import { describe, expect, it } from "vitest";
import i18next from "i18next";
import { languageChoices, localesOf, makeFormat } from "./format";

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

describe("times and dates", () => {
  const when = new Date(2026, 10, 28, 15, 12);
  it.each([
    ["en", ["en-US", "en"], "3:12 PM", "Nov 28, 2026", "11/28/26"],
    ["en", ["en-GB", "en"], "15:12", "28 Nov 2026", "28/11/2026"],
    ["en", ["en", "en-GB"], "15:12", "28 Nov 2026", "28/11/2026"],
    ["en", ["en-IE"], "15:12", "28 Nov 2026", "28/11/2026"],
    ["en", ["en-AU"], "3:12 pm", "28 Nov 2026", "28/11/26"],
    ["en", ["en-CA", "fr-CA"], "3:12 p.m.", "Nov 28, 2026", "2026-11-28"],
    ["en", ["de-DE", "de", "en-US", "en"], "15:12", "28 Nov 2026", "28/11/2026"],
    ["en", ["de", "en-US"], "15:12", "28 Nov 2026", "28/11/2026"],
    ["en", ["sv-SE", "sv"], "15:12", "28 Nov 2026", "2026-11-28"],
    ["en", ["zh-Hans-CN"], "15:12", "28 Nov 2026", "28/11/2026"],
    ["en", ["pt-BR", "pt"], "15:12", "28 Nov 2026", "28/11/2026"],
    ["en", ["ar-EG"], "3:12 pm", "28 Nov 2026", "28/11/2026"],
    ["en", ["en", "not a tag"], "3:12 PM", "Nov 28, 2026", "11/28/26"],
    ["en", [], "3:12 PM", "Nov 28, 2026", "11/28/26"],
    ["de", ["de-DE", "de"], "15:12", "28.11.2026", "28.11.26"],
    ["de", ["de-CH"], "15:12", "28.11.2026", "28.11.26"],
    ["de", ["en-US", "en"], "15:12", "28.11.2026", "28.11.26"],
  ])("in %s where the browser prefers %j", (language, offered, time, date, shortDate) => {
    const format = makeFormat(language, offered);
    const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
    expect(plain(format.time(when))).toBe(time);
    expect(format.date(when)).toBe(date);
    expect(format.shortDate(when)).toBe(shortDate);
    expect(plain(format.dateTime(when))).toBe(`${date}, ${time}`);
  });

  it("leave numbers in the language of the sentence", () => {
    const number = (language: string, offered: string[]) => makeFormat(language, offered).number(31_095);
    expect(number("en", ["de-DE", "en-US"])).toBe("31,095");
    expect(number("en", ["en-GB"])).toBe("31,095");
    expect(number("de", ["en-US"])).toBe("31.095");
    expect(localesOf("de", ["de-CH"]).numbers).toBe("de-CH");
    expect(localesOf("en-XA", ["de-CH"])).toEqual({ numbers: "en-XA", dates: "en-XA" });
  });
});

describe("a number in a text", () => {
  it.each([
    ["en", "31,095 words", "Moved to turn 1,204 of 2,000"],
    ["de", "31.095 Wörter", "Verschoben auf Beitrag 1.204 von 2.000"],
  ])("is grouped in %s", (language, words, moved) => {
    const t = i18next.getFixedT(language, "script");
    expect(t("words", { count: 31_095 })).toBe(words);
    expect(t("movedTo", { n: 1204, total: 2000 })).toBe(moved);
  });

  it.each(["en", "de"])("is grouped in all texts in %s, except for a seed", (language) => {
    const big = 31_095;
    const grouped = makeFormat(language).number(big);
    const raw: string[] = [];
    for (const [namespace, texts] of Object.entries(i18next.store.data[language] ?? {})) {
      for (const [key, text] of leaves(texts)) {
        const names = [...text.matchAll(/{{\s*([\w.]+)[^}]*}}/g)].map(([, name = ""]) => name);
        const values = Object.fromEntries(names.map((name) => [name, big]));
        const shown = i18next.services.interpolator.interpolate(text, values, language, {});
        if (shown.replaceAll(grouped, "").includes(String(big))) raw.push(`${namespace}:${key}`);
      }
    }
    expect(raw.sort()).toEqual(["history:receipt.summary", "studio:seed.last", "takes:seed"]);
  });
});

function leaves(texts: unknown, path = ""): [string, string][] {
  if (typeof texts === "string") return [[path.slice(1), texts]];
  return Object.entries(texts as Record<string, unknown>).flatMap(([key, value]) => leaves(value, `${path}.${key}`));
}
