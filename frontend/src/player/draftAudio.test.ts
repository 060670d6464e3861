import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aGeneration } from "@/test";
import { player, silenceBetween, useDraftAudio, type Sound } from ".";

let element: HTMLMediaElement;
beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("play"));
    keep(this);
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("pause"));
  });
});
const keep = (audio: HTMLMediaElement) => {
  element = audio;
};
afterEach(() => {
  cleanup();
  act(() => player.close());
});

let opened = 0;
/** Opens a draft with this audio, or without. */
function openDraft(sound: Sound | null, key = `draft ${(opened += 1)}`) {
  const view = renderHook(() =>
    useDraftAudio({
      key,
      ids: sound ? [sound.id] : [],
      isKnown: true,
      show: () => {
        if (sound) player.load(sound);
      },
    }),
  );
  return { key, leave: view.unmount };
}
const play = (sound: Sound) => act(() => player.load(sound, { play: true }));
const pause = () => act(async () => player.pause());
const end = () => act(async () => void element.dispatchEvent(new Event("ended")));
const shown = () => player.get().generation?.id;
const [a, b, row] = [aGeneration(), aGeneration(), aGeneration()];

it.each([
  ["ends", end],
  ["is paused", pause],
])("shows the audio of the open draft as soon as that of the draft before %s", async (_, stop) => {
  openDraft(a).leave();
  play(a);
  openDraft(b);
  expect(shown()).toBe(a.id);
  await stop();
  expect(player.get()).toMatchObject({ playing: false, generation: { id: b.id } });
});

it.each([
  ["playing", pause],
  ["paused", async () => undefined],
])("closes audio of another draft, opened two drafts before, where the open one has none: %s", async (state, stop) => {
  openDraft(a).leave();
  play(a);
  openDraft(b).leave();
  if (state === "paused") await pause();
  openDraft(null);
  await stop();
  expect(player.get()).toMatchObject({ playing: false, generation: null });
});

it("shows the audio of the draft again on the return from a screen where other audio was heard", async () => {
  const draft = openDraft(a);
  draft.leave();
  play(row);
  await pause();
  expect(shown()).toBe(row.id); // what that screen shows
  openDraft(a, draft.key).leave();
  expect(shown()).toBe(a.id);
  play(row);
  openDraft(a, draft.key);
  expect(player.get()).toMatchObject({ playing: true, generation: { id: row.id } });
  await end();
  expect(shown()).toBe(a.id);
});

it("leaves alone what is not of a draft where the open one has no audio, and a player that was closed", async () => {
  const none = openDraft(null);
  none.leave();
  play(row);
  openDraft(null, none.key);
  await pause();
  expect(shown()).toBe(row.id);
  cleanup();
  const draft = openDraft(a);
  act(() => player.close());
  draft.leave();
  openDraft(a, draft.key);
  expect(shown()).toBeUndefined();
});

it("leaves turns alone that are heard one after the other, until the last has ended", async () => {
  const [one, two] = [aGeneration(), aGeneration()];
  play(one);
  openDraft(b);
  const endSilence = silenceBetween();
  await end();
  expect(shown()).toBe(one.id);
  endSilence();
  play(two);
  await end();
  expect(shown()).toBe(b.id);
});
