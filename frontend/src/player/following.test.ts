import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aGeneration, fakeApi, reply, type Handler } from "@/test";
import { fakeAudio, livePart } from "@/test/fakeAudio";
import { playChunk, player, playhead } from ".";

const rate = 1000;
const running = aGeneration({ id: "g1", status: "generating", duration: 0, chunks: [], audio_url: "" });
const stopped = { ...running, status: "cancelled" as const, partial: { chunks: 2, total: 4, seconds: 5 } };
const unavailable = reply(409, { code: "not_in_progress", detail: "", remedy: "", params: {} });
const chunk = (start: number) => ({ start, end: start + 2.5 });
const peaks = { seconds: 5, from: 0, per_second: 10, peaks: Array(50).fill([-1, 1]), chunks: [chunk(0), chunk(2.5)] };
const none = { seconds: 0, from: 0, per_second: 10, peaks: [], chunks: [] };

beforeEach(() => {
  fakeAudio();
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockReturnValue();
});
afterEach(() => act(() => player.close()));

/** A server that has five seconds of a generation. */
const serve = (routes: Record<string, Handler> = {}) =>
  fakeApi({
    "GET /generate/{id}/live": () => livePart(rate, 5).response,
    "GET /generate/{id}/live/peaks": peaks,
    "GET /history/{id}": running,
    ...routes,
  });
const isLoaded = () => waitFor(() => expect(player.get().generation?.id).toBe("g1"));
const asked = (api: ReturnType<typeof serve>) =>
  api.to("GET /generate/{id}/live").map((call) => Number(call.query.get("from")));

it.each([running, stopped])("is followed from a chunk on that this window has not loaded: $status", async (made) => {
  const api = serve();
  act(() => playChunk(made, 1));
  await waitFor(() => expect(player.get()).toMatchObject({ playing: true, generation: { id: "g1" } }));
  expect(playhead.get()).toBe(2.5);
  expect(asked(api).at(-1)).toBe(2.5);
  act(() => playChunk(made, 0));
  expect(playhead.get()).toBe(0);
});

it("plays a chunk as soon as its place is known, unless the player was closed", async () => {
  const api = serve({ "GET /generate/{id}/live/peaks": none });
  act(() => playChunk(running, 1));
  await isLoaded();
  expect(player.get().playing).toBe(false);
  api.set("GET /generate/{id}/live/peaks", peaks);
  await waitFor(() => expect(player.get().playing).toBe(true));
  expect(playhead.get()).toBe(2.5);

  api.set("GET /generate/{id}/live/peaks", none);
  act(() => player.close());
  act(() => playChunk(running, 1));
  await isLoaded();
  act(() => player.close());
  act(() => player.follow(running, { play: false, busy: () => false }));
  api.set("GET /generate/{id}/live/peaks", peaks);
  await waitFor(() => expect(player.get().generation?.chunks).toHaveLength(2));
  expect(player.get().playing).toBe(false);
});

it("goes on at a seek that was made while the end of what was read is looked up", async () => {
  let answer: (now: unknown) => void = () => undefined;
  const parts = [livePart(rate, 5), livePart(rate)];
  parts[0]?.end();
  serve({
    "GET /generate/{id}/live": () => parts.shift()?.response,
    "GET /history/{id}": () => new Promise((resolve) => (answer = resolve)),
  });
  act(() => playChunk(stopped, 1));
  await waitFor(() => expect(player.get().playing).toBe(true));
  await act(async () => answer(stopped));
  await act(() => new Promise((done) => setTimeout(done, 20)));
  expect(player.get().playing).toBe(true);
  expect(playhead.get()).toBe(2.5);
});

it.each(["cancelled", "failed"] as const)(
  "shows what was finished of a %s one that the server still reads",
  async (status) => {
    const api = serve({ "GET /generate/{id}/live/peaks": none });
    act(() => player.follow({ ...stopped, status }, { play: false, busy: () => false }));
    await waitFor(() => expect(api.to("GET /generate/{id}/live/peaks")).toHaveLength(1));
    await act(() => Promise.resolve());
    api.set("GET /generate/{id}/live/peaks", peaks);
    await waitFor(() => expect(player.get()).toMatchObject({ duration: 5, growing: peaks.peaks }));
  },
);

it.each(["cancelled", "failed"] as const)("closes when what was finished of a %s one is deleted", async (status) => {
  serve({ "GET /history/{id}": { ...stopped, status } });
  act(() => player.follow({ ...stopped, status }, { play: true, busy: () => false }));
  await isLoaded();
  act(() => player.update({ ...stopped, status }));
  expect(player.get().generation?.id).toBe("g1");
  act(() => player.update({ ...stopped, status, partial: null }));
  expect(player.get()).toMatchObject({ generation: null, growing: null, playing: false });
});

it.each([unavailable, reply(404, { code: "generation_not_found", detail: "", remedy: "", params: {} })])(
  "asks no more for the peaks of one that was deleted, and closes",
  async (answer) => {
    const api = serve({
      "GET /generate/{id}/live/peaks": answer,
      "GET /history/{id}": answer === unavailable ? { ...stopped, partial: null } : answer,
    });
    act(() => player.follow(running, { play: false, busy: () => false }));
    await waitFor(() => expect(api.to("GET /history/{id}")).toHaveLength(1));
    await waitFor(() => expect(player.get().generation).toBeNull());
    await act(() => new Promise((done) => setTimeout(done, 700))); // longer than between two requests
    expect(api.to("GET /generate/{id}/live/peaks")).toHaveLength(1);
  },
);

it.each(["cancelled", "failed"] as const)("closes at a seek in a %s one that was deleted", async (status) => {
  const api = serve();
  act(() => player.follow({ ...stopped, status }, { play: false, busy: () => false }));
  await waitFor(() => expect(player.get().duration).toBe(5));
  api.set("GET /generate/{id}/live", unavailable);
  api.set("GET /history/{id}", { ...stopped, status, partial: null });
  act(() => player.seek(4));
  await waitFor(() => expect(player.get().generation).toBeNull());
});

describe("becomes its file when it is complete, though no event has said so, where it", () => {
  const complete = aGeneration({ id: "g1", status: "complete", duration: 5 });
  const follow = () => act(() => player.follow(running, { play: false, busy: () => false }));
  const isFile = () => expect(player.get()).toMatchObject({ growing: null, duration: 5, generation: complete });

  it("is paused, and samples that are not played are read no further", async () => {
    const api = serve();
    follow();
    await waitFor(() => expect(player.get()).toMatchObject({ duration: 5, growing: peaks.peaks }));
    api.set("GET /history/{id}", complete);
    api.set("GET /generate/{id}/live/peaks", none); // the server has none of a complete one
    await waitFor(isFile);
  });

  it("was complete before anything of it was shown", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    serve({ "GET /generate/{id}/live/peaks": none, "GET /history/{id}": complete });
    follow();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    vi.useRealTimers();
    isFile();
  });
});
