import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aGeneration, fakeApi } from "@/test";
import { fakeAudio, fakeDevices } from "@/test/fakeAudio";
import { audition, output, systemDevice, player, stopAudition, stopPreview, togglePreview } from ".";
import { takeOf } from "./takes";

const playing = new Set<HTMLMediaElement>();
let audio: ReturnType<typeof fakeAudio>;
let starts = vi.spyOn(output, "play");
const sounding = () => [...new Set(starts.mock.calls.map(([, sound]) => sound))].filter((sound) => !sound.paused);

beforeEach(() => {
  playing.clear();
  starts = vi.spyOn(output, "play");
  audio = fakeAudio();
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    playing.add(this);
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLMediaElement) {
    if (playing.delete(this)) this.dispatchEvent(new Event("pause"));
  });
  vi.spyOn(HTMLMediaElement.prototype, "paused", "get").mockImplementation(function (this: HTMLMediaElement) {
    return !playing.has(this);
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
  take: (take) => void audition(takeOf(generation, 0, take), takeOf(generation, 1, take)),
  preview: (n) => togglePreview(`voice ${n}`),
};
const orders = Object.keys(sources).flatMap((first) => Object.keys(sources).map((second) => [first, second] as const));

it.each(orders)("%s, then %s: only the last one plays, at the volume of the window", async (first, second) => {
  player.setVolume(0.4);
  act(() => sources[first]?.(1));
  await waitFor(() => expect(starts).toHaveBeenCalledTimes(1));
  act(() => sources[second]?.(2));
  await waitFor(() => expect(starts).toHaveBeenCalledTimes(2));
  expect(sounding().map((sound) => sound.volume)).toEqual([0.4]);
  expect(player.get().playing).toBe(second === "player");
  player.setVolume(0.6);
  expect(sounding().map((sound) => sound.volume)).toEqual([0.6]);
});

it("a preview that loads after the player was started stays silent", async () => {
  let respond: (response: Response) => void = () => undefined;
  fakeApi({ "GET /profiles/{id}/preview": () => new Promise<Response>((resolve) => (respond = resolve)) });
  togglePreview("slow");
  act(() => player.load(generation, { play: true }));
  await waitFor(() => expect(starts).toHaveBeenCalledTimes(1));
  await act(async () => respond(new Response(new Blob([]))));
  expect(starts).toHaveBeenCalledTimes(1);
  expect(player.get().playing).toBe(true);
});

it("a take that has ended is not paused again when the next one starts", async () => {
  act(() => void audition(takeOf(generation, 0, 0)));
  await waitFor(() => expect(starts).toHaveBeenCalledTimes(1));
  act(() => stopAudition());
  act(() => void audition(takeOf(generation, 0, 1)));
  await waitFor(() => expect(starts).toHaveBeenCalledTimes(2));
  act(() => void audition(takeOf(generation, 0, 0))); // instead of the one that plays
  await waitFor(() => expect(starts).toHaveBeenCalledTimes(3));
  expect(audio.misused).toBe(0);
});

describe("a chosen device", () => {
  let end: () => void = () => undefined;
  beforeEach(() => {
    end = fakeDevices(audio);
    audio.devices = ["headset"];
  });
  afterEach(() => {
    output.setDevice(systemDevice);
    end();
  });
  const devices = () => sounding().map((sound) => (sound.sink ?? (sound as HTMLAudioElement)).sinkId);

  it.each(Object.keys(sources))("has the sound of each source: %s", async (source) => {
    output.setDevice({ id: "headset", label: "Headset" });
    act(() => sources[source]?.(1));
    await waitFor(() => expect(devices()).toEqual(["headset"]));
    output.setDevice(systemDevice); // what plays follows
    await waitFor(() => expect(devices()).toEqual([""]));
  });

  it("is not reported as missing because a sound on it was closed", async () => {
    output.setDevice({ id: "headset", label: "Headset" });
    act(() => void audition(takeOf(generation, 0, 0)));
    await waitFor(() => expect(devices()).toEqual(["headset"]));
    act(() => stopAudition());
    output.setDevice(systemDevice); // nothing plays
    output.setDevice({ id: "headset", label: "Headset" });
    act(() => void audition(takeOf(generation, 0, 1)));
    await waitFor(() => expect(devices()).toEqual(["headset"]));
    expect(audio.misused).toBe(0);
  });

  it.each(Object.keys(sources))("that is gone leaves the sound to that of the system: %s", async (source) => {
    output.setDevice({ id: "unplugged", label: "Speaker" });
    act(() => sources[source]?.(1));
    await waitFor(() => expect(devices()).toEqual([""]));
  });
});
