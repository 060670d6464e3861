import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { player } from "@/player";
import { aGeneration } from "@/test";
import { emptyScript, turnAt, type ScriptContent } from "./model";
import { useScriptFollow } from "./useScriptFollow";
import type { ScriptFlow } from "./useScriptGeneration";

const texts = ["A".repeat(10), "B".repeat(30), "C".repeat(60)];

/** A script whose turns have one audio. */
function aDialogue(generationId: string): ScriptContent {
  const script = emptyScript(["Host", "Guest"], "voice-1");
  const speakerId = script.speakers[0]?.id ?? "";
  const turns = texts.map((text, i) => {
    const spoken = { generationId, text, profileId: "voice-1" };
    return { id: `turn${String(i)}`, speakerId, text, spoken };
  });
  return { ...script, turns };
}

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
});
afterEach(() => act(() => player.close()));

it("takes the turns of a dialogue to last as long as their texts", () => {
  const { turns } = aDialogue("g");
  const at = (part: number) => turnAt(turns, part).turn?.id;
  expect([0, 0.09, 0.11, 0.39, 0.41, 1].map(at)).toEqual(["turn0", "turn0", "turn1", "turn1", "turn2", "turn2"]);
  expect(turnAt(turns, 0.25).part).toBeCloseTo(0.5);
  expect(turnAt([], 0.5).turn).toBeUndefined();
});

it("shows the turn of a dialogue that is heard, not the first one", () => {
  const made = aGeneration({ source: "hosted", duration: 10 });
  const frame = document.createElement("div");
  frame.getBoundingClientRect = () => ({ top: 0, bottom: 600 }) as DOMRect;
  const scrollBy = vi.fn();
  frame.scrollBy = scrollBy;
  const fields = new Map<string, HTMLTextAreaElement>();
  texts.forEach((_, i) => {
    const row = frame.appendChild(document.createElement("li"));
    const top = 1000 * (i + 1);
    row.getBoundingClientRect = () => ({ top, bottom: top + 100 }) as DOMRect;
    fields.set(`turn${String(i)}`, row.appendChild(document.createElement("textarea")));
  });
  const script = aDialogue(made.id);
  renderHook(() => useScriptFollow({ current: frame }, script, { stored: undefined } as unknown as ScriptFlow, fields));
  const scrolledTo = (seconds: number) => {
    scrollBy.mockClear();
    act(() => player.load(made, { play: true, at: seconds }));
    const { top } = scrollBy.mock.lastCall?.[0] as { top: number };
    return Math.round(top / 1000); // the frame is scrolled nearly to the row
  };
  expect(scrolledTo(0.5)).toBe(1);
  expect(scrolledTo(2)).toBe(2);
  expect(scrolledTo(8)).toBe(3);
});
