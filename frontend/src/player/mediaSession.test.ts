import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aGeneration, fakeApi } from "@/test";
import { fakeAudio, livePart } from "@/test/fakeAudio";
import { clearTrack, connectMediaSession, player, playhead, setTrack } from ".";

/** What the desktop is told, and the keys that it sends. */
class FakeSession {
  metadata: { title: string; artist: string } | null = null;
  playbackState = "none";
  position: MediaPositionState | undefined;
  private handlers = new Map<string, MediaSessionActionHandler | null>();
  setPositionState = (position?: MediaPositionState) => void (this.position = position);
  setActionHandler = (name: string, handler: MediaSessionActionHandler | null) => void this.handlers.set(name, handler);
  press = (action: MediaSessionAction, details = {}) =>
    act(() => void this.handlers.get(action)?.({ action, ...details }));
}

let session: FakeSession;
let disconnect: () => void;
let playing: Set<HTMLMediaElement>;

beforeEach(() => {
  session = new FakeSession();
  playing = new Set();
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator) as object, { mediaSession: session }));
  vi.stubGlobal(
    "MediaMetadata",
    vi.fn(function (values: object) {
      return values;
    }),
  );
  URL.createObjectURL = () => "blob:silence";
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLMediaElement.prototype, "paused", "get").mockImplementation(function (this: HTMLMediaElement) {
    return !playing.has(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    playing.add(this);
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLMediaElement) {
    if (playing.delete(this)) this.dispatchEvent(new Event("pause"));
  });
  disconnect = connectMediaSession();
});
afterEach(() => {
  act(() => player.close());
  disconnect();
  vi.unstubAllGlobals();
});

const chunks = [0, 20, 40].map((start) => ({ text: "", start, end: start + 20, take: 0, takes: 1 }));

it("shows the desktop what plays, and follows its keys", () => {
  act(() => player.load(aGeneration({ title: "Winter", profile_name: "Anna", duration: 60, chunks }), { play: true }));
  expect(session).toMatchObject({
    metadata: { title: "Winter", artist: "Anna" },
    playbackState: "playing",
    position: { duration: 60, playbackRate: 1, position: 0 },
  });
  session.press("pause");
  expect(session.playbackState).toBe("paused");
  session.press("seekto", { seekTime: 30 });
  expect(playhead.get()).toBe(30);
  expect(session.position?.position).toBe(30);
  session.press("nexttrack");
  expect(playhead.get()).toBe(40);
  session.press("previoustrack");
  expect(playhead.get()).toBe(20);
  session.press("seekbackward", { seekOffset: 5 });
  expect(playhead.get()).toBe(15);
  session.press("play");
  expect(session.playbackState).toBe("playing");
  session.press("stop");
  expect([session.playbackState, playhead.get()]).toEqual(["paused", 0]);
  act(() => player.close());
  expect([session.playbackState, session.metadata, session.position]).toEqual(["none", null, undefined]);
});

it("shows its first words where a generation has no title", () => {
  act(() =>
    player.load(aGeneration({ title: "", text: `The ferry. ${"x".repeat(200)}`, profile_name: "Built-in voice" })),
  );
  expect(session.metadata?.title).toMatch(/^The ferry\. x{69}$/);
  expect(session.metadata?.artist).toBe("Built-in voice");
});

it("holds its place with silence while a generation is made, and takes the volume of the window", async () => {
  const audio = fakeAudio();
  const running = aGeneration({ id: "g1", title: "Winter", status: "generating", duration: 0, chunks: [] });
  fakeApi({
    "GET /generate/{id}/live": livePart(1000, 5).response,
    "GET /generate/{id}/live/peaks": { seconds: 5, from: 0, per_second: 10, peaks: [[-1, 1]], chunks: [] },
  });
  act(() => player.setVolume(0.4));
  act(() => player.follow(running, { play: true, busy: () => false }));
  await waitFor(() => expect(session.position?.duration).toBe(5));
  expect(audio.gain.value).toBe(0.4);
  act(() => player.setVolume(0.6));
  expect(audio.gain.value).toBe(0.6);
  const silence = () => [...playing].map((element) => [element.src, element.loop]);
  expect(silence()).toEqual([["blob:silence", true]]);
  session.press("pause");
  expect([session.playbackState, silence()]).toEqual(["paused", []]);
  session.press("play");
  expect([session.playbackState, silence()]).toEqual(["playing", [["blob:silence", true]]]);
  expect(session.metadata?.title).toBe("Winter");
  act(() => player.close());
  expect(playing.size).toBe(0);
});

it("names the chapter and its book, and its keys go to other chapters", () => {
  const track = { title: "The ferry", album: "Winter", artist: "Anna", href: "", previous: vi.fn(), next: vi.fn() };
  act(() => player.load(aGeneration({ id: "g1", title: "Winter: The ferry", duration: 60, chunks }), { play: true }));
  act(() => setTrack("g1", track));
  expect(session.metadata).toEqual({ title: "The ferry", album: "Winter", artist: "Anna" });
  session.press("nexttrack");
  session.press("previoustrack");
  expect([track.next, track.previous].map((go) => go.mock.calls.length)).toEqual([1, 1]);
  expect(playhead.get()).toBe(0);
  act(clearTrack);
  expect(session.metadata?.title).toBe("Winter: The ferry");
});
