import { QueryClient, QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { createElement, type PropsWithChildren } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aGeneration, fakeApi } from "@/test";
import { readGeneration, storeGeneration, useRegenerateChunk, useRetryGeneration } from "./generations";
import { keys } from "./keys";
import { applyGenerationEvent, startStream } from "./live";
import { useLevel, useRevise } from "./revisions";
import type { Generation } from "./types";

const complete = aGeneration({ id: "g1" });
const queued: Generation = { ...complete, status: "queued", progress: 0, chunks: [], audio_url: "" };
const events = {
  started: () => applyGenerationEvent({ id: "g1", status: "queued", progress: 0 }),
  ended: () => applyGenerationEvent({ id: "g1", status: "complete", progress: 1 }),
};

let client: QueryClient;
let stop: () => void;
beforeEach(() => {
  startStream();
  fakeApi({ "GET /history/{id}": complete });
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, networkMode: "always" } } });
});
afterEach(() => {
  stop();
  client.clear();
});

const watch = () => {
  stop = new QueryObserver(client, {
    queryKey: keys.generation("g1"),
    queryFn: ({ signal }) => readGeneration("g1", signal),
    enabled: client.getQueryData(keys.generation("g1")) !== undefined,
  }).subscribe(() => undefined);
};
const status = () => client.getQueryData<Generation>(keys.generation("g1"))?.status;

/** What may happen between a request and the last event of its generation. */
const orders: Record<string, (() => void)[]> = {
  "its response comes before the events": [
    () => storeGeneration(client, queued),
    watch,
    events.started,
    events.ended,
    () => void client.invalidateQueries({ queryKey: keys.generation("g1") }), // as the event does
  ],
  "its response comes after the events": [events.started, events.ended, () => storeGeneration(client, queued), watch],
  "its response comes after the events, to a page that shows it": [
    () => storeGeneration(client, { ...queued, status: "failed" }),
    watch,
    events.started,
    events.ended,
    () => storeGeneration(client, queued),
  ],
  "its response comes after what the events led to": [
    events.started,
    events.ended,
    () => client.setQueryData(keys.generation("g1"), complete),
    watch,
    () => storeGeneration(client, queued),
  ],
};

it.each(Object.entries(orders))("a finished generation is shown as such where %s", async (_, steps) => {
  for (const step of steps) step();
  await expect.poll(status).toBe("complete");
});

it("a state that was read never goes back to an older response", () => {
  events.started();
  events.ended();
  client.setQueryData(keys.generation("g1"), complete);
  watch();
  storeGeneration(client, queued);
  expect(status()).toBe("complete");
});

it("shows a retry before its first event", async () => {
  fakeApi({ "GET /history/{id}": { ...complete, status: "generating" } });
  events.ended();
  client.setQueryData(keys.generation("g1"), { ...queued, status: "failed" });
  watch();
  storeGeneration(client, queued);
  await expect.poll(status).toBe("generating");
});

it.each([
  ["continued", useRetryGeneration, { id: "g1" }],
  ["changed", useRevise, { id: "g1", text: "New." }],
  ["given another take", useRegenerateChunk, { id: "g1", chunk: 0 }],
  ["levelled", useLevel, "g1"],
])("an ended generation that is %s is running as soon as the request is answered", async (_, useRequest, variables) => {
  const never = () => new Promise(() => undefined);
  fakeApi({
    "GET /history/{id}": never,
    "POST /generate/{id}/retry": queued,
    "POST /generate/{id}/revise": { ...queued, reused: 0, generated: 1, removed: 0 },
    "POST /generate/{id}/chunks/{n}/regenerate": queued,
    "POST /generate/{id}/level": queued,
  });
  events.ended();
  client.setQueryData(keys.generation("g1"), { ...complete, status: "cancelled" });
  watch();
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children);
  const { result } = renderHook(() => useRequest() as { mutateAsync(variables: unknown): Promise<unknown> }, {
    wrapper,
  });
  await act(() => result.current.mutateAsync(variables));
  expect(status()).toBe("queued");
});
