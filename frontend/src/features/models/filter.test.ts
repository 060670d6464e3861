import { expect, it } from "vitest";
import type { Model } from "@/api/types";
import { aModel } from "@/test";
import { familyOf, rowOf, rowsOf } from "./family";
import { fits, languagesOf, sorted } from "./filter";
import { partsOf } from "./Header";

const none = { search: "", language: "", engine: "" };
const siwis = aModel({
  model_name: "piper-siwis",
  display_name: "Siwis (medium)",
  engine: "piper",
  variant: "medium",
  languages: ["fr-FR"],
});

it("finds models by every word, without accents, by language and by engine", () => {
  const words = "Siwis (medium) Piper Français";
  expect(fits(siwis, { ...none, search: "francais siwis" }, words)).toBe(true);
  expect(fits(siwis, { ...none, search: "francais ryan" }, words)).toBe(false);
  expect(fits(siwis, { ...none, language: "fr" }, words)).toBe(true);
  expect(fits(siwis, { ...none, language: "en" }, words)).toBe(false);
  expect(fits(siwis, { ...none, engine: "kokoro" }, words)).toBe(false);
  expect(fits(aModel({ languages: [] }), { ...none, language: "fr" }, words)).toBe(true);
});

it("names each language once", () => {
  expect(languagesOf([aModel({ languages: ["en-US", "en-GB", "de"] })], (tag) => tag.toUpperCase())).toEqual([
    { value: "de", label: "DE" },
    { value: "en", label: "EN" },
  ]);
});

it("recognises the variants of a model", () => {
  const kokoro = aModel({ variant: "fp32" });
  const small = aModel({ model_name: "kokoro-q8", display_name: "Kokoro q8", variant: "q8" });
  const high = aModel({ ...siwis, model_name: "piper-siwis-high", display_name: "Siwis (high)", variant: "high" });
  const timed = aModel({ model_name: "kokoro-timestamped", display_name: "Kokoro q8 with word times", variant: "q8" });
  const nano = aModel({ model_name: "kitten-nano", display_name: "KittenTTS nano", engine: "kitten", voices: 8 });
  const all = [kokoro, small, timed, siwis, high, nano];
  expect(familyOf(kokoro, all)).toEqual([kokoro, small, timed]);
  expect(familyOf(timed, all)).toEqual([kokoro, small, timed]);
  expect(familyOf(siwis, all)).toEqual([siwis, high]);
  expect(familyOf(nano, all)).toEqual([nano]);
});

it("shows one row per family, and separate rows for installed models and downloads", () => {
  const kokoro = aModel({ state: "not_downloaded", fits: "no" });
  const small = aModel({ model_name: "kokoro-q8", display_name: "Kokoro q8", variant: "q8", state: "not_downloaded" });
  const shown = (models: Model[], selected?: string) => rowsOf(models, selected).map((row) => row.model.model_name);
  expect(shown([kokoro, small, siwis])).toEqual(["kokoro-q8", "piper-siwis"]); // the variant that fits
  expect(shown([kokoro, small, siwis], "kokoro")).toEqual(["kokoro", "piper-siwis"]);
  const coming = { ...kokoro, partial_mb: 3 };
  expect(shown([coming, small], "kokoro-q8")).toEqual(["kokoro"]);
  expect(rowOf(rowsOf([coming, small], "kokoro-q8"), "kokoro-q8")?.model).toBe(coming);
  expect(shown([coming, { ...small, downloaded: true }])).toEqual(["kokoro", "kokoro-q8"]);
});

it("has no parts when no space is used", () => {
  expect(partsOf([aModel({ downloaded: true, size_mb: 300 })], 0, { partial: "half", other: "other" })).toEqual([]);
});

it("divides the used space by engine, incomplete downloads and unknown files", () => {
  const parts = partsOf(
    [
      aModel({ downloaded: true, state: "downloaded", size_mb: 300 }),
      aModel({ downloaded: true, state: "downloaded", size_mb: 100 }),
      aModel({ engine: "piper", partial_mb: 40, state: "not_downloaded" }),
    ],
    500_000_000,
    { partial: "half", other: "other" },
  );
  expect(parts.map((part) => [part.name, part.bytes])).toEqual([
    ["Kokoro", 400e6],
    ["half", 40e6],
    ["other", 60e6],
  ]);
});

it("puts the models for this machine and language first, or sorts by size", () => {
  const model = (model_name: string, fits: Model["fits"], language: string, size_mb: number) =>
    aModel({ model_name, fits, languages: [language], size_mb });
  const all = [model("big", "no", "de-DE", 900), model("fr", "yes", "fr-FR", 60), model("de", "unknown", "de-AT", 110)];
  const names = (sort: string) => sorted(all, sort, "de").map((one) => one.model_name);
  expect(names("")).toEqual(["de", "fr", "big"]);
  expect(names("small")).toEqual(["fr", "de", "big"]);
  expect(names("size")).toEqual(["big", "de", "fr"]);
});
