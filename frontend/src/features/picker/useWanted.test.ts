import { expect, test } from "vitest";
import { aProfile } from "@/test/fixtures";
import { describeVoice } from "@/features/voices/library";
import { arrived } from "./useWanted";

test("a single-voice model brings its own voice, not a copy that the person made of it", () => {
  const voice = (id: string, name: string, created_at: string) =>
    describeVoice(aProfile({ id, name, created_at, model_name: "piper-lessac", preset_voice_id: "lessac#0" }), [], "");
  const offer = describeVoice(aProfile({ name: "Lessac", model_name: "piper-lessac", preset_voice_id: "" }), [], "");
  const copy = voice("copy", "Slow reader", "2026-11-02T10:00:00Z");
  const preset = voice("preset", "Lessac", "2026-11-20T10:00:00Z");
  const idOf = (before: string[], voices: (typeof copy)[]) =>
    arrived({ voice: offer, before: new Set(before) }, voices)?.profile.id;
  expect(idOf(["copy"], [copy, preset])).toBe("preset");
  expect(idOf(["copy", "preset"], [copy, preset])).toBe("preset");
  expect(idOf(["copy"], [copy])).toBe("copy");
  expect(idOf([], [])).toBeUndefined();
});
