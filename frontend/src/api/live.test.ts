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

describe("the running jobs", () => {
  it("do not reappear through a response that is older than the event of their end", () => {
    act(() => {
      applyGenerationEvent(job("a", "generating", 0.5));
      applyGenerationEvent(job("a", "complete", 1));
      applyGeneration(job("a", "queued"));
    });
    expect(jobs()).toEqual([]);
  });

  it("reappear when they are retried", () => {
    act(() => {
      applyGenerationEvent(job("a", "complete", 1));
      applyGenerationEvent(job("a", "queued"));
    });
    expect(jobs()).toEqual(["a queued"]);
  });

  it("appear with the response if no event has reported them yet", () => {
    act(() => applyGeneration(job("b", "queued")));
    expect(jobs()).toEqual(["b queued"]);
  });

  it("match the list after the stream was interrupted, plus the events since", () => {
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
