import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aGeneration, fakeApi, reply } from "@/test";
import { fakeAudio, livePart } from "@/test/fakeAudio";
import { player, playhead } from ".";
import { pauseFinder, pcmDecoder } from "./samples";

const rate = 1000;
let audio: ReturnType<typeof fakeAudio>;
let element: HTMLAudioElement | null = null;

beforeEach(() => {
  audio = fakeAudio();
  element = null;
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLAudioElement) {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    element = this;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
});
afterEach(() => act(() => player.close()));

const running = aGeneration({ id: "g1", status: "generating", duration: 0, chunks: [] });
const complete = aGeneration({ id: "g1", status: "complete", duration: 60 });
const peaks = { seconds: 0, from: 0, per_second: 10, peaks: [], chunks: [] };

/** Follows a generation whose parts are these, one for each request. */
function follow(parts: ReturnType<typeof livePart>[], busy = () => false) {
  let n = 0;
  const api = fakeApi({
    "GET /generate/{id}/live": () => parts[n++]?.response ?? reply(409, { code: "not_in_progress", detail: "" }),
    "GET /generate/{id}/live/peaks": peaks,
    "GET /history/{id}": running,
  });
  act(() => player.follow(running, { play: true, busy }));
  return { api, asked: () => api.to("GET /generate/{id}/live").map((call) => Number(call.query.get("from"))) };
}
const sounding = () => audio.parts.filter((part) => !part.stopped);
const heard = (seconds: number) =>
  waitFor(() => expect(sounding().reduce((sum, part) => sum + part.seconds, 0)).toBeCloseTo(seconds));
const advance = (seconds: number) => act(() => audio.advance(seconds));

describe("samples", () => {
  it("are read from bytes that are cut anywhere", () => {
    const bytes = new Uint8Array(new Int16Array([1, -2, 3, -4]).buffer);
    const decode = pcmDecoder(2);
    const parts = [bytes.slice(0, 3), bytes.slice(3, 5), bytes.slice(5)].map(decode);
    expect(parts.map((part) => part.map((channel) => [...channel].map((x) => x * 0x8000)))).toEqual([
      [[], []],
      [[1], [-2]],
      [[3], [-4]],
    ]);
  });

  it("have pauses, also across parts", () => {
    const finder = pauseFinder(10, 0.3);
    finder.add([new Float32Array([1, 0, 0])], 0);
    finder.add([new Float32Array([0, 0, 1, 0, 1])], 3);
    expect(finder.after(0)).toBe(1);
    expect(finder.after(2)).toBe(2);
    expect(finder.after(3)).toBeNull();
  });
});

describe("a generation that is made", () => {
  it("plays without a gap as it arrives, and shows what there is", async () => {
    const part = livePart(rate);
    const { api } = follow([part]);
    api.set("GET /generate/{id}/live/peaks", {
      ...peaks,
      seconds: 1,
      peaks: [[-1, 1]],
      chunks: [{ start: 0, end: 1 }],
    });
    expect(player.get().generation).toBeNull(); // nothing to hear yet
    part.add(1);
    await heard(1);
    expect(player.get()).toMatchObject({ playing: true, waiting: null });
    part.add(0.5);
    part.add(2);
    await heard(3.5);
    const ends = audio.parts.map(({ at, seconds }) => at + seconds);
    expect(audio.parts.slice(1).map(({ at }) => at)).toEqual(ends.slice(0, -1));
    await waitFor(() => expect(player.get().generation?.chunks).toHaveLength(1));
    expect(player.get()).toMatchObject({ duration: 1, growing: [[-1, 1]] });
  });

  it("waits for speech, and goes on with a reserve", async () => {
    const part = livePart(rate, 1);
    follow([part]);
    await heard(1);
    advance(1.1);
    expect(player.get()).toMatchObject({ playing: true, waiting: 1 });
    part.add(1.5);
    await act(() => Promise.resolve());
    await heard(1); // less than the reserve
    part.add(0.5);
    await heard(3);
    expect(player.get().waiting).toBeNull();
  });

  it("holds only what comes next, and reads a place again after a seek", async () => {
    const parts = Array.from({ length: 4 }, () => livePart(rate, 10));
    for (const part of parts) part.end();
    const { asked } = follow(parts);
    await waitFor(() => expect(asked()).toEqual([0, 10, 20]));
    await heard(30);
    advance(10.1);
    await waitFor(() => expect(asked()).toEqual([0, 10, 20, 30]));
    act(() => player.seek(0)); // nothing is known to be there
    await waitFor(() => expect(asked().at(-1)).toBe(0));
    expect(sounding().filter(({ at }) => at > audio.now)).toEqual([]);
  });

  it("is paused and played on at the same place", async () => {
    follow([livePart(rate, 5)]);
    await heard(5);
    advance(2.03);
    act(() => player.pause());
    advance(2);
    expect(player.get().playing).toBe(false);
    act(() => player.play());
    advance(1);
    act(() => player.pause());
    expect(playhead.get()).toBeGreaterThan(2.9);
    expect(playhead.get()).toBeLessThan(3.1);
  });

  it("does not start over another sound", async () => {
    const part = livePart(rate, 1);
    const { asked } = follow([part], () => true);
    await waitFor(() => expect(asked()).toEqual([0]));
    await act(() => Promise.resolve());
    expect(player.get().generation).toBeNull();
    expect(audio.parts).toEqual([]);
  });

  /** Two seconds of speech, a pause, and more of it, all received; a second of it is played. */
  async function received() {
    act(() => player.load(aGeneration({ id: "g0" }), { play: true }));
    const part = livePart(rate, 2);
    follow([part]);
    part.add(0.5, 0);
    part.add(2);
    part.end();
    await heard(4.5);
    advance(1.03);
  }

  it("becomes its file in the next pause of speech", async () => {
    await received();
    act(() => player.update(complete));
    expect(player.get()).toMatchObject({ playing: true, duration: 60 });
    expect(element?.currentTime).toBe(2);
    advance(1);
    act(() => void element?.dispatchEvent(new Event("canplay")));
    expect(sounding().at(-1)?.stopped).toBe(false); // until the file sounds
    act(() => void element?.dispatchEvent(new Event("playing")));
    expect(player.get()).toMatchObject({ playing: true, growing: null, waiting: null });
    expect(element?.src).toContain(complete.audio_url);
    expect(audio.isClosed).toBe(true);
  });

  it("becomes its file at once when it is paused", async () => {
    await received();
    act(() => player.update(complete));
    act(() => player.pause());
    expect(player.get()).toMatchObject({ playing: false, growing: null, duration: 60 });
    expect(playhead.get()).toBeCloseTo(1, 1);
    expect(element?.currentTime).toBeCloseTo(1, 1);
  });

  it("that was complete before it could be heard plays as a file", () => {
    follow([livePart(rate)]);
    act(() => player.update(complete));
    expect(player.get()).toMatchObject({ playing: true, growing: null });
    expect(element?.src).toContain(complete.audio_url);
  });

  it("plays to the end of what there is when it fails, and closes", async () => {
    const part = livePart(rate, 1);
    const { api } = follow([part]);
    await heard(1);
    api.set("GET /history/{id}", { ...running, status: "failed" });
    part.end();
    await waitFor(() => expect(api.to("GET /history/{id}")).toHaveLength(1));
    expect(player.get().playing).toBe(true);
    await act(() => Promise.resolve());
    advance(1.1);
    expect(player.get().generation).toBeNull();
  });
});
