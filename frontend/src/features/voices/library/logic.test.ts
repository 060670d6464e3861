import { expect, test } from "vitest";
import { aModel, aProfile } from "@/test/fixtures";
import { finds, fold } from "@/lib/fold";
import { mixId, parseMix } from "./mix";
import { describeVoice, modelsToGet } from "./voice";

test("search ignores accents and case, and requires every word", () => {
  expect(fold("Zoë STRAẞE Łódź Søren")).toBe("zoe strasse lodz soren");
  expect(finds("francais heart", ["Heart", "Français"])).toBe(true);
  expect(finds("heart bella", ["Heart"])).toBe(false);
  expect(finds("", ["Heart"])).toBe(true);
});

test("mixtures are written as the server parses them", () => {
  expect(mixId("kokoro#af_heart", "kokoro#af_bella", 0.6)).toBe("af_heart:0.6+af_bella:0.4");
  expect(mixId("af_heart", "af_bella", 0.35)).toBe("af_heart:0.35+af_bella:0.65");
  expect(mixId("a", "b", 1)).toBe("a:0.99+b:0.01");
  expect(parseMix("af_heart:3+af_bella:1")).toEqual([
    { voice: "af_heart", part: 0.75 },
    { voice: "af_bella", part: 0.25 },
  ]);
  expect(parseMix("af_heart+af_bella").map((share) => share.part)).toEqual([0.5, 0.5]);
  expect(parseMix("kokoro#af_heart")).toEqual([]);
  expect(parseMix("a:0+b:0")).toEqual([]);
});

test("gender and languages come from the server and are not guessed from the name", () => {
  const voice = describeVoice(
    aProfile({ preset_engine: "other", preset_voice_id: "am_x", gender: "female" }),
    [aModel({ multilingual: true })],
    "",
  );
  expect(voice).toMatchObject({ gender: "female", languages: ["en-US", "en-GB"] });
  expect(describeVoice(aProfile({ gender: "" }), [aModel()], "")).toMatchObject({
    gender: undefined,
    languages: ["en-US"],
  });
});

test("a voice is ready when a model that speaks it is installed", () => {
  const kokoro = aModel({ downloaded: true });
  const profile = aProfile({ model_name: "" });
  expect(describeVoice(profile, [aModel({ model_name: "kokoro-q8" }), kokoro], "").state).toBe("ready");
  expect(describeVoice(profile, [aModel({ loaded: true, downloaded: true })], "").state).toBe("memory");
  expect(describeVoice(aProfile(), [aModel()], "").state).toBe("missing");
  expect(describeVoice(aProfile({ usable: false }), [kokoro], "").state).toBe("unusable");
  const own = aProfile({ voice_type: "default", model_name: "", preset_engine: "", preset_voice_id: "" });
  expect(describeVoice(own, [aModel()], "espeak:en-us")).toMatchObject({ state: "ready", engine: "espeak" });
  expect(describeVoice(own, [aModel()], "kokoro:af_heart")).toMatchObject({ state: "missing", engine: "kokoro" });
});

test("an imported model hides no other voices of its engine", () => {
  const piper = (name: string, part: object) =>
    aModel({ model_name: name, engine: "piper", repo_id: "a/piper-voices", voices: 1, languages: ["de-DE"], ...part });
  const list = [piper("mine", { repo_id: "", downloaded: true }), piper("thorsten", {}), piper("kerstin", {})];
  expect(modelsToGet(list).map((model) => model.model_name)).toEqual(["thorsten", "kerstin"]);
  expect(modelsToGet([piper("later", { supported: false })])).toEqual([]);
});

test("of several variants one is offered, and none when its voices are installed", () => {
  const variants = [aModel({ model_name: "kokoro-q8" }), aModel({ default: true })];
  expect(modelsToGet(variants).map((model) => model.model_name)).toEqual(["kokoro"]);
  expect(modelsToGet([...variants, aModel({ model_name: "mine", repo_id: "", downloaded: true })])).toEqual([]);
  const timed = aModel({ model_name: "kokoro-timestamped", repo_id: "a/kokoro-timestamped" });
  expect(modelsToGet([timed, aModel({ default: true })]).map((model) => model.model_name)).toEqual(["kokoro"]);
  expect(modelsToGet([aModel(), { ...timed, downloaded: true }])).toEqual([]);
  expect(modelsToGet([aModel({ cloning: true }), aModel({ family: "transcription" })])).toEqual([]);
});

test("the built-in voice has a translated name until it is renamed", () => {
  const own = aProfile({ name: "Built-in voice", description: "", voice_type: "default" });
  expect(describeVoice(own, [], "", "Eingebaute Stimme").name).toBe("Eingebaute Stimme");
  expect(describeVoice({ ...own, name: "Mine" }, [], "", "Eingebaute Stimme").name).toBe("Mine");
  expect(describeVoice({ ...own, voice_type: "preset" }, [], "", "Eingebaute Stimme").name).toBe("Built-in voice");
});
