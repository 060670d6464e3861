import { describe, expect, it } from "vitest";
import { aProfile } from "@/test";
import { restoreWritten, placeOf, sameWritten, typedIn } from "./undo";
import { editedPart, partsOf } from "./markupParts";
import { emptyScript, moveTurn, type ScriptContent } from "./model";
import { withPause } from "@/lib/pause";
import { firstVoice, otherVoices, setVoices, speakersSharingVoice } from "./voices";

const of = (...texts: string[]): ScriptContent => {
  const script = emptyScript(["Host", "Guest"], "voice-1");
  return {
    ...script,
    turns: texts.map((text, i) => ({ id: `t${i}`, speakerId: script.speakers[i % 2]?.id ?? "", text })),
  };
};
const order = (script: ScriptContent) => script.turns.map((turn) => turn.id);

describe("moving", () => {
  it("swaps with the neighbour, and stops at the ends", () => {
    const script = of("A", "B", "C");
    expect(order(moveTurn(script, "t1", -1))).toEqual(["t1", "t0", "t2"]);
    expect(order(moveTurn(script, "t1", 1))).toEqual(["t0", "t2", "t1"]);
    expect(moveTurn(script, "t0", -1)).toBe(script);
    expect(moveTurn(script, "t2", 1)).toBe(script);
  });
});

describe("undo", () => {
  it("distinguishes typing in one turn from a change of turns", () => {
    const script = of("A", "B");
    const typed = { ...script, turns: script.turns.map((turn) => (turn.id === "t1" ? { ...turn, text: "Be" } : turn)) };
    expect(typedIn(script, typed)).toBe("t1");
    expect(typedIn(script, moveTurn(script, "t0", 1))).toBeNull();
    expect(typedIn(script, { ...script, turns: script.turns.slice(1) })).toBeNull();
    expect(sameWritten(script, typed)).toBe(false);
  });
  it("restores text, and keeps the current audio", () => {
    const before = of("A", "B");
    const spoken = { generationId: "g", text: "B", profileId: "voice-1" };
    const now: ScriptContent = {
      ...before,
      scriptId: "s",
      turns: before.turns.slice(1).map((turn) => ({ ...turn, spoken })),
    };
    const back = restoreWritten(now, before);
    expect(back.turns.map((turn) => [turn.text, turn.spoken?.generationId])).toEqual([
      ["A", undefined],
      ["B", "g"],
    ]);
    expect(back.scriptId).toBe("s");
  });
  it("puts the cursor after the restored text", () => {
    const was = of("One two six", "B");
    const now = { ...was, turns: was.turns.map((turn) => (turn.id === "t0" ? { ...turn, text: "One six" } : turn)) };
    expect(placeOf(now, was)).toEqual({ id: "t0", caret: 8 });
    expect(placeOf({ ...was, turns: was.turns.slice(0, 1) }, was)).toEqual({ id: "t1", caret: 1 });
    expect(placeOf(was, { ...was, title: "Other" })).toBeNull();
  });
});

describe("a pause", () => {
  it("goes after the word that contains the cursor, with a space on each side", () => {
    expect(withPause("without it", 4)).toEqual({ text: "without [pause 0.5s] it", caret: 21 });
    expect(withPause("One. Two.", 5)).toEqual({ text: "One. [pause 0.5s] Two.", caret: 18 });
    expect(withPause("", 0)).toEqual({ text: "[pause 0.5s] ", caret: 13 });
    expect(withPause("a [pause 1s] b", 6).text).toBe("a [pause 1s] [pause 0.5s] b");
  });
  it("is found in the text, and shown as text while the cursor is in it", () => {
    const parts = partsOf("Hello. [pause 400ms] You?") ?? [];
    expect(parts.map((part) => part.text)).toEqual(["Hello. ", "[pause 400ms]", " You?"]);
    expect(parts[1]?.markup).toEqual({ kind: "pause", seconds: 0.4 });
    expect([7, 12, 20].map((at) => editedPart(parts, at, at))).toEqual([-1, 1, -1]);
    expect(editedPart(parts, 0, 25)).toBe(-1);
    expect(partsOf("Hello [there].")).toBeNull();
  });
});

describe("voices", () => {
  const own = aProfile({ id: "voice-1", language: "en", voice_type: "default" });
  it("start with the default voice, not with the first by name", () => {
    const later = aProfile({ language: "de", voice_type: "default", created_at: "2026-11-21T10:00:00Z" });
    expect(firstVoice([later, aProfile(), own])).toBe(own);
  });
  it("that are shared are replaced by others of the same language that are usable", () => {
    const [german, broken, british] = [
      aProfile({ language: "de" }),
      aProfile({ usable: false }),
      aProfile({ language: "en-GB" }),
    ];
    const script = of("A", "B");
    expect(speakersSharingVoice(script).map((speaker) => speaker.name)).toEqual(["Host", "Guest"]);
    const given = otherVoices(script, [german, broken, own, british]);
    expect(given.map(({ speaker, voice }) => [speaker.name, voice.id])).toEqual([["Guest", british.id]]);
    const next = setVoices(
      script,
      given.map(({ speaker, voice }) => ({ id: speaker.id, profileId: voice.id })),
    );
    expect(speakersSharingVoice(next)).toEqual([]);
    expect(otherVoices(script, [german, own])).toEqual([]);
    expect(speakersSharingVoice(of("A", ""))).toEqual([]); // speakers without text share nothing
  });
});
