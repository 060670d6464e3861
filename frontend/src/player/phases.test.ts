import { describe, expect, it, vi } from "vitest";
import type { Live } from "./live";
import {
  awaiting,
  begin,
  changing,
  file,
  followedBy,
  hear,
  heardIn,
  isFollowedIn,
  liveIn,
  unawaited,
  type LivePhase,
} from "./phases";

const aLive = () => ({ close: vi.fn() }) as unknown as Live;
const closed = (live: Live) => vi.mocked(live.close).mock.calls.length;
const growing = (live: Live, part: Partial<LivePhase> = {}): LivePhase => ({
  kind: "live",
  live,
  former: undefined,
  stopGrowth: vi.fn(),
  onPlayed: undefined,
  ...part,
});
const waitFor = (live: Live, onPlayed?: () => void) => ({ live, onMade: vi.fn(), onPlayed });

describe("a generation that is awaited", () => {
  it("lets the file before it be heard, and is heard itself when it begins", () => {
    const before = file(vi.fn());
    const next = aLive();
    const then = vi.fn();
    const awaited = awaiting(before, waitFor(next, then));
    expect(heardIn(awaited)).toBe(before);
    expect(liveIn(awaited)).toBeNull();
    expect(isFollowedIn(awaited, next)).toBe(true);
    const begun = begin(awaited, "/a/g.wav");
    expect(begun).toMatchObject({ kind: "live", live: next, former: "/a/g.wav", onPlayed: then });
    expect(closed(next)).toBe(0);
  });

  it("takes the place of the generation that was heard while it was made", () => {
    const [first, next] = [aLive(), aLive()];
    const heard = growing(first);
    const awaited = awaiting(heard, waitFor(next));
    expect(liveIn(awaited)).toBe(first);
    expect([first, next].map((live) => isFollowedIn(awaited, live))).toEqual([true, true]);
    begin(awaited, undefined);
    expect(heard.stopGrowth).toHaveBeenCalledTimes(1);
    expect([first, next].map(closed)).toEqual([1, 0]);
  });

  it("takes the place of another one that is awaited", () => {
    const [first, next] = [aLive(), aLive()];
    const awaited = awaiting(awaiting(file(), waitFor(first)), waitFor(next));
    expect(closed(first)).toBe(1);
    expect(isFollowedIn(awaited, first)).toBe(false);
    expect(awaited.heard.kind).toBe("file");
  });

  it("is dropped without an effect on what is heard", () => {
    const [first, next] = [aLive(), aLive()];
    const heard = growing(first);
    expect(unawaited(awaiting(heard, waitFor(next)))).toBe(heard);
    expect([first, next].map(closed)).toEqual([0, 1]);
    expect(unawaited(heard)).toBe(heard);
    expect(closed(first)).toBe(0);
  });

  it("stays awaited when another sound is heard meanwhile", () => {
    const next = aLive();
    const after = hear(awaiting(growing(aLive()), waitFor(next)), file());
    expect(after).toMatchObject({ kind: "awaited", live: next, heard: { kind: "file" } });
    expect(closed(next)).toBe(0);
  });
});

describe("a generation that is heard while it is made", () => {
  it("plays on while it changes to its file, and ends there", () => {
    const live = aLive();
    const then = vi.fn();
    const heard = growing(live, { former: "/a/g.wav", onPlayed: then });
    const stopChange = vi.fn();
    const change = hear(heard, changing(heard, stopChange));
    expect(change).toMatchObject({ kind: "changing", live, former: "/a/g.wav", onPlayed: then });
    expect(heard.stopGrowth).toHaveBeenCalledTimes(1);
    expect(closed(live)).toBe(0);
    hear(change, file(then));
    expect(stopChange).toHaveBeenCalledTimes(1);
    expect(closed(live)).toBe(1);
  });

  it("ends when a file is heard", () => {
    const live = aLive();
    const heard = growing(live);
    expect(hear(heard, file())).toEqual(file());
    expect(heard.stopGrowth).toHaveBeenCalledTimes(1);
    expect(closed(live)).toBe(1);
  });
});

it("what follows a sound stays with it, and not with what is awaited", () => {
  const [then, afterwards] = [vi.fn(), vi.fn()];
  const awaited = awaiting(file(then), waitFor(aLive(), afterwards));
  const after = followedBy(awaited, undefined);
  expect(heardIn(after).onPlayed).toBeUndefined();
  expect(after).toMatchObject({ kind: "awaited", onPlayed: afterwards });
  expect(followedBy(file(), then)).toEqual(file(then));
});
