import { expect, it } from "vitest";
import { aModel } from "@/test";
import { fits, languagesOf, siblings } from "./filter";
import { partsOf } from "./Header";

const none = { search: "", language: "", engine: "" };
const siwis = aModel({ model_name: "piper-siwis", display_name: "Siwis (medium)", engine: "piper", variant: "medium", languages: ["fr-FR"] });

it("finds models by every word, without accents, by language and by engine", () => {
  const words = "Siwis (medium) Piper Français";
  expect(fits(siwis, { ...none, search: "francais siwis" }, words)).toBe(true);
  expect(fits(siwis, { ...none, search: "francais ryan" }, words)).toBe(false);
  expect(fits(siwis, { ...none, language: "fr" }, words)).toBe(true);
  expect(fits(siwis, { ...none, language: "en" }, words)).toBe(false);
  expect(fits(siwis, { ...none, engine: "kokoro" }, words)).toBe(false);
});

it("names each language once", () => {
  expect(languagesOf([aModel({ languages: ["en-US", "en-GB", "de"] })], (tag) => tag.toUpperCase())).toEqual([{ value: "de", label: "DE" }, { value: "en", label: "EN" }]);
});

it("knows the variants of a model", () => {
  const kokoro = aModel({ variant: "fp32" });
  const small = aModel({ model_name: "kokoro-q8", display_name: "Kokoro q8", variant: "q8" });
  const high = aModel({ ...siwis, model_name: "piper-siwis-high", display_name: "Siwis (high)", variant: "high" });
  const all = [kokoro, small, siwis, high];
  expect(siblings(kokoro, all)).toEqual([kokoro, small]);
  expect(siblings(siwis, all)).toEqual([siwis, high]);
});

it("shares the used space out by engine, with what is half here and what belongs to nobody", () => {
  const parts = partsOf([
    aModel({ downloaded: true, state: "downloaded", size_mb: 300 }), aModel({ downloaded: true, state: "downloaded", size_mb: 100 }),
    aModel({ engine: "piper", partial_mb: 40, state: "not_downloaded" }),
  ], 500_000_000, { partial: "half", other: "other" });
  expect(parts.map((part) => [part.name, part.bytes])).toEqual([["Kokoro", 400e6], ["half", 40e6], ["other", 60e6]]);
});
