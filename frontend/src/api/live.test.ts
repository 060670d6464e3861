import { renderHook, act } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { noteAnswer, noteGeneration, setGenerations, startHearing, useLiveGenerations } from "./live";

const jobs = () => renderHook(() => useLiveGenerations()).result.current.map((job) => `${job.id} ${job.status}`);
const job = (id: string, status: "queued" | "generating" | "complete", progress = 0) => ({ id, status, progress });

beforeEach(() =>
  act(() => {
    startHearing();
    setGenerations([]);
  }),
);

describe("the jobs at work", () => {
  it("do not come back by an answer that is older than the event of their end", () => {
    act(() => {
      noteGeneration(job("a", "generating", 0.5));
      noteGeneration(job("a", "complete", 1));
      noteAnswer(job("a", "queued"));
    });
    expect(jobs()).toEqual([]);
  });

  it("come back when they are tried once more", () => {
    act(() => {
      noteGeneration(job("a", "complete", 1));
      noteGeneration(job("a", "queued"));
    });
    expect(jobs()).toEqual(["a queued"]);
  });

  it("are there with the answer already, when no event told of them yet", () => {
    act(() => noteAnswer(job("b", "queued")));
    expect(jobs()).toEqual(["b queued"]);
  });

  it("are those of the list after the stream was away, but for what it told since", () => {
    act(() => {
      noteGeneration(job("old", "generating", 0.2));
      startHearing();
    });
    act(() => {
      noteGeneration(job("ended", "complete", 1));
      noteGeneration(job("new", "queued"));
    });
    act(() => setGenerations([job("ended", "generating", 0.9), job("other", "queued")]));
    expect(jobs()).toEqual(["new queued", "other queued"]);
  });
});
