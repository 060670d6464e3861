import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aGeneration, fakeApi, reply } from "@/test";
import { fakeAudio, fakeDevices, livePart } from "@/test/fakeAudio";
import { output, player, playhead, systemDevice } from ".";
import { pauseFinder, pcmDecoder } from "./samples";

const rate = 1000;
let audio: ReturnType<typeof fakeAudio>;
let element: HTMLAudioElement | null = null;
let isPaused = true;

beforeEach(() => {
  audio = fakeAudio();
  element = null;
  isPaused = true;
  vi.spyOn(HTMLMediaElement.prototype, "paused", "get").mockImplementation(() => isPaused);
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => void (isPaused = true));
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLAudioElement) {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    element = this;
    isPaused = false;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
});
afterEach(() =>
  act(() => {
    player.close();
    player.setRate(1);
  }),
);

const running = aGeneration({ id: "g1", status: "generating", duration: 0, chunks: [] });
const complete = aGeneration({ id: "g1", status: "complete", duration: 60 });
const peaks = { seconds: 0, from: 0, per_second: 10, peaks: [], chunks: [] };

/** Follows a generation whose parts are these, one for each request. */
function follow(parts: ReturnType<typeof livePart>[], busy = () => false, changes = false) {
  let n = 0;
  const api = fakeApi({
    "GET /generate/{id}/live": () => parts[n++]?.response ?? reply(204),
    "GET /generate/{id}/live/peaks": peaks,
    "GET /history/{id}": running,
  });
  act(() => player.follow(running, { play: true, busy, changes }));
  return { api, asked: () => api.to("GET /generate/{id}/live").map((call) => Number(call.query.get("from"))) };
}
const sounding = () => audio.parts.filter((part) => !part.stopped);
const heard = (seconds: number, digits = 2) =>
  waitFor(() => expect(sounding().reduce((sum, part) => sum + part.seconds, 0)).toBeCloseTo(seconds, digits));
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
    expect(finder.after(0)).toEqual({ from: 1, to: 5 });
    expect(finder.after(2)).toEqual({ from: 2, to: 5 });
    expect(finder.after(3)).toBeNull();
  });
});

describe("a text that is changed", () => {
  it("has the chunks of the new version while it is made, and those of the former one after it was stopped", async () => {
    const part = livePart(rate);
    const { api } = follow([part], () => false, true);
    const chunk = { start: 0, end: 1, text: "New words." };
    api.set("GET /generate/{id}/live/peaks", { ...peaks, seconds: 1, peaks: [[-1, 1]], chunks: [chunk] });
    part.add(1);
    await waitFor(() => expect(player.get().revised).toMatchObject([chunk]));
    expect(player.get().generation?.chunks).toEqual([]);
    act(() => player.update({ ...complete, audio_path: running.audio_path }));
    expect(player.get().revised).toEqual([]);
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
    audio.parts.slice(1).forEach(({ at }, i) => {
      const before = audio.parts[i];
      expect(at).toBeCloseTo((before?.at ?? 0) + (before?.seconds ?? 0), 9);
    });
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

  it("is heard at the speed of the player, and at another one from the same place on", async () => {
    act(() => player.setRate(2));
    follow([livePart(rate, 4)]);
    await heard(2, 1);
    advance(1.03);
    await waitFor(() => expect(playhead.get()).toBeCloseTo(2, 1));
    act(() => player.setRate(0.5));
    await heard(1.1 + (4 - 2.2) / 0.5, 1);
    advance(0.1);
    advance(2);
    await waitFor(() => expect(playhead.get()).toBeCloseTo(2.2 + 1, 1));
  });

  it("does not wait at another speed for a first part that is too short to be stretched", async () => {
    act(() => player.setRate(2));
    const part = livePart(rate, 0.01);
    follow([part]);
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
    part.add(0.3);
    await heard(0.15, 1);
    expect(player.get().waiting).toBeNull();
  });

  it("waits for a reserve that lasts as long at another speed", async () => {
    act(() => player.setRate(2));
    const part = livePart(rate, 1);
    follow([part]);
    await heard(0.5, 1);
    advance(1);
    expect(player.get().waiting).toBeCloseTo(1, 1);
    part.add(3);
    await act(() => Promise.resolve());
    await heard(0.5, 1);
    part.add(1);
    await heard(2.5, 1);
  });

  it("plays on the chosen device", async () => {
    const end = fakeDevices(audio);
    audio.devices = ["headset"];
    output.setDevice({ id: "headset", label: "Headset" });
    follow([livePart(rate, 1)]);
    await heard(1);
    expect(audio.device).toBe("headset");
    output.setDevice(systemDevice);
    await waitFor(() => expect(audio.device).toBe(""));
    end();
  });

  it("does not start over another sound", async () => {
    const part = livePart(rate, 1);
    const { asked } = follow([part], () => true);
    await waitFor(() => expect(asked()).toEqual([0]));
    await act(() => Promise.resolve());
    expect(player.get().generation).toBeNull();
    expect(audio.parts).toEqual([]);
    expect(audio.isClosed).toBe(true);
  });

  /** Speech of two seconds, and more after pauses of half a second, all received; a second of it is played. */
  async function received(pauses = 1) {
    vi.spyOn(HTMLMediaElement.prototype, "readyState", "get").mockReturnValue(HTMLMediaElement.HAVE_ENOUGH_DATA);
    act(() => player.load(aGeneration({ id: "g0" }), { play: true }));
    const part = livePart(rate, 2);
    follow([part]);
    for (let n = 0; n < pauses; n += 1) {
      part.add(0.5, 0);
      part.add(2);
    }
    part.end();
    await heard((2 + 2.5 * pauses) / player.get().rate, 1);
    advance(1.03);
  }
  const starts = () => vi.mocked(HTMLMediaElement.prototype.play).mock.calls.length;
  /** The loaded element is started once more. */
  async function started() {
    const before = starts();
    await waitFor(() => expect(starts()).toBe(before + 1));
  }
  const sound = (seconds: number) => void (element && (element.currentTime += seconds));

  it("becomes its file in the next pause of speech, once that sounds", async () => {
    await received();
    act(() => player.update(complete));
    expect(player.get()).toMatchObject({ playing: true, duration: 60 });
    expect(element?.currentTime).toBeCloseTo(2, 1);
    act(() => void element?.dispatchEvent(new Event("canplay")));
    expect(starts()).toBe(1); // not yet
    advance(1);
    await started();
    act(() => void element?.dispatchEvent(new Event("playing")));
    expect(sounding().at(-1)?.stopped).toBe(false);
    sound(0.05);
    await waitFor(() => expect(player.get()).toMatchObject({ playing: true, growing: null, waiting: null }));
    expect(element?.src).toContain(complete.audio_url);
    expect(audio.isClosed).toBe(true);
  });

  it("becomes its file at the speed at which it is heard", async () => {
    act(() => player.setRate(1.5));
    await received();
    act(() => player.update(complete));
    expect(element?.currentTime).toBeCloseTo(2.3, 1); // an element needs a moment to load, which is longer in the sound
    advance(0.55);
    await started();
    expect(element?.playbackRate).toBe(1.5);
    sound(0.05);
    await waitFor(() => expect(audio.isClosed).toBe(true));
    expect(player.get()).toMatchObject({ playing: true, rate: 1.5 });
  });

  it("plays on to another pause when its file does not sound in time", async () => {
    await received(2);
    act(() => player.update(complete));
    advance(1);
    await started();
    advance(0.5); // it speaks again
    await waitFor(() => expect(isPaused).toBe(true));
    expect(player.get()).toMatchObject({ playing: true });
    expect(audio.isClosed).toBe(false);
    expect(element?.currentTime).toBeCloseTo(4.5, 1);
    advance(2);
    await started();
    sound(0.05);
    await waitFor(() => expect(audio.isClosed).toBe(true));
  });

  it("is played to its end where there is no pause, and its file can be played again", async () => {
    await received(0);
    const played = vi.fn();
    act(() => player.load(running, { onPlayed: played }));
    act(() => player.update({ ...complete, duration: 2 }));
    advance(1.1);
    expect(player.get()).toMatchObject({ playing: false, growing: null, failed: false });
    expect(playhead.get()).toBeCloseTo(2);
    expect(starts()).toBe(1);
    expect(played).toHaveBeenCalledTimes(1);
    act(() => player.play());
    expect(element?.src).toContain(complete.audio_url);
  });

  it("goes on with its file where the samples end before it", async () => {
    await received(0);
    act(() => player.update(complete));
    advance(1.1);
    expect(player.get()).toMatchObject({ playing: true, growing: null, duration: 60 });
    expect(element?.currentTime).toBeCloseTo(2);
  });

  it("becomes its file at once when it is paused", async () => {
    await received();
    act(() => player.update(complete));
    act(() => player.pause());
    expect(player.get()).toMatchObject({ playing: false, growing: null, duration: 60 });
    expect(playhead.get()).toBeCloseTo(1, 1);
    expect(element?.currentTime).toBeCloseTo(1, 1);
  });

  /** A text of which a passage is changed: a second of the new one can be heard. */
  async function changed() {
    const followed = follow([livePart(rate, 0, 3), livePart(rate, 1, 3)], () => false, true);
    await heard(1);
    return followed;
  }

  it("begins with the first new passage of a changed text, and becomes its file", async () => {
    const { asked } = await changed();
    expect(asked()).toEqual([0, 3]);
    expect(playhead.get()).toBe(3);
    act(() => player.update({ ...complete, audio_path: "/tmp/a.1.wav" }));
    expect(player.get()).toMatchObject({ playing: true, duration: 60 });
  });

  it("goes back to the former file when the change is stopped", async () => {
    await changed();
    act(() => player.update(complete));
    expect(player.get()).toMatchObject({ playing: false, growing: null, duration: 60 });
    expect(audio.isClosed).toBe(true);
  });

  it("that ended before it was requested plays as a file", async () => {
    const { api, asked } = follow([]);
    api.set("GET /history/{id}", complete);
    await waitFor(() => expect(element?.src).toContain(complete.audio_url));
    expect(player.get()).toMatchObject({ playing: true, growing: null });
    expect(asked()).toEqual([0]);
  });

  it("that was complete before it could be heard plays as a file", () => {
    follow([livePart(rate)]);
    act(() => player.update(complete));
    expect(player.get()).toMatchObject({ playing: true, growing: null });
    expect(element?.src).toContain(complete.audio_url);
  });

  it("stays with what is finished when it is stopped, and can be heard again", async () => {
    const part = livePart(rate, 1);
    const finished = livePart(rate, 0.5);
    const { api, asked } = follow([part, finished, livePart(rate, 1.5)]);
    await heard(1);
    api.set("GET /history/{id}", {
      ...running,
      status: "cancelled",
      partial: { chunks: 1, total: 3, seconds: 1.5 },
    });
    part.end(); // the server goes on with the stored chunks
    await waitFor(() => expect(asked()).toEqual([0, 1]));
    await heard(1.5);
    finished.end();
    await waitFor(() => expect(api.to("GET /history/{id}")).toHaveLength(2));
    expect(player.get()).toMatchObject({ playing: true, generation: { status: "cancelled" } });
    await act(() => Promise.resolve());
    advance(1.6);
    expect(player.get()).toMatchObject({ playing: false, generation: { id: "g1" } });
    expect(playhead.get()).toBe(0);
    await waitFor(() => expect(asked()).toEqual([0, 1, 0]));
  });

  it("is continued from the place at which its finished part was heard", async () => {
    const { api, asked } = follow([livePart(rate, 5), livePart(rate, 5)]);
    await heard(5);
    advance(2.03);
    act(() => player.follow(running, { play: true, busy: () => false }));
    await waitFor(() => expect(asked()).toHaveLength(2));
    expect(asked()[1]).toBeCloseTo(2, 1);
    await waitFor(() => expect(playhead.get()).toBeCloseTo(2, 1));
    expect(api.to("GET /history/{id}")).toHaveLength(0);
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
