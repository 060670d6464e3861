import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aGeneration, fakeApi } from "@/test";
import { audition, player, stopAudition, stopPreview, togglePreview } from ".";

const playing = new Set<HTMLMediaElement>();
let started = 0;

beforeEach(() => {
  playing.clear();
  started = 0;
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    playing.add(this);
    started += 1;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLMediaElement) {
    if (playing.delete(this)) this.dispatchEvent(new Event("pause"));
  });
  URL.createObjectURL = () => "blob:audio";
  URL.revokeObjectURL = () => undefined;
  fakeApi({
    "GET /history/{id}/chunks/{n}/takes/{take}": () => new Response(new Blob([])),
    "GET /profiles/{id}/preview": () => new Response(new Blob([])),
  });
});
afterEach(() =>
  act(() => {
    stopAudition();
    stopPreview();
    player.close();
    player.setVolume(1);
  }),
);

const generation = aGeneration();
const sources: Record<string, (n: number) => void> = {
  player: () => player.load(generation, { play: true }),
  take: (take) => void audition({ id: generation.id, chunk: 0, take }, { id: generation.id, chunk: 1, take }),
  preview: (n) => togglePreview(`voice ${n}`),
};
const orders = Object.keys(sources).flatMap((first) => Object.keys(sources).map((second) => [first, second] as const));

it.each(orders)("%s, then %s: only the last one plays, at the volume of the window", async (first, second) => {
  player.setVolume(0.4);
  act(() => sources[first]?.(1));
  await waitFor(() => expect(started).toBe(1));
  act(() => sources[second]?.(2));
  await waitFor(() => expect(started).toBe(2));
  expect([...playing].map((audio) => audio.volume)).toEqual([0.4]);
  expect(player.get().playing).toBe(second === "player");
  player.setVolume(0.6);
  expect([...playing].map((audio) => audio.volume)).toEqual([0.6]);
});

it("a preview that loads after the player was started stays silent", async () => {
  let respond: (response: Response) => void = () => undefined;
  fakeApi({ "GET /profiles/{id}/preview": () => new Promise<Response>((resolve) => (respond = resolve)) });
  togglePreview("slow");
  act(() => player.load(generation, { play: true }));
  await waitFor(() => expect(started).toBe(1));
  await act(async () => respond(new Response(new Blob([]))));
  expect(started).toBe(1);
  expect(player.get().playing).toBe(true);
});
