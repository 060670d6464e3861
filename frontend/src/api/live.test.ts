import { renderHook, act } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { applyGeneration, applyGenerationEvent, setGenerations, startStream, useLiveGenerations } from "./live";

const jobs = () => renderHook(() => useLiveGenerations()).result.current.map((job) => `${job.id} ${job.status}`);
const job = (id: string, status: "queued" | "generating" | "complete", progress = 0) => ({ id, status, progress });

beforeEach(() =>
  act(() => {
    startStream();
    setGenerations([]);
  }),
);

describe("the jobs at work", () => {
  it("do not come back by an answer that is older than the event of their end", () => {
    act(() => {
      applyGenerationEvent(job("a", "generating", 0.5));
      applyGenerationEvent(job("a", "complete", 1));
      applyGeneration(job("a", "queued"));
    });
    expect(jobs()).toEqual([]);
  });

  it("come back when they are tried once more", () => {
    act(() => {
      applyGenerationEvent(job("a", "complete", 1));
      applyGenerationEvent(job("a", "queued"));
    });
    expect(jobs()).toEqual(["a queued"]);
  });

  it("are there with the answer already, when no event told of them yet", () => {
    act(() => applyGeneration(job("b", "queued")));
    expect(jobs()).toEqual(["b queued"]);
  });

  it("are those of the list after the stream was away, but for what it told since", () => {
    act(() => {
      applyGenerationEvent(job("old", "generating", 0.2));
      startStream();
    });
    act(() => {
      applyGenerationEvent(job("ended", "complete", 1));
      applyGenerationEvent(job("new", "queued"));
    });
    act(() => setGenerations([job("ended", "generating", 0.9), job("other", "queued")]));
    expect(jobs()).toEqual(["new queued", "other queued"]);
  });
});
