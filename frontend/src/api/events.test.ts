import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeApi, page } from "@/test/fakeApi";
import { followEvents } from "./events";
import { keys } from "./keys";
import { clearDownloads, setGenerations, startStream, useLiveDownloads, useLiveGenerations } from "./live";

let stop = new AbortController();

beforeEach(() => {
  stop = new AbortController();
  startStream();
  setGenerations([]);
  clearDownloads();
});
afterEach(() => stop.abort());

const generations = () => renderHook(() => useLiveGenerations()).result.current.map(({ id }) => id);
const downloads = () => renderHook(() => useLiveDownloads()).result.current.map((download) => download.model_name);

/** Follows a stream of these lines. */
function follow(lines: readonly string[]): QueryClient {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(lines.join("\n\n") + "\n\n")),
  });
  fakeApi({ "GET /events": () => new Response(body), "GET /history": page([]) });
  const client = new QueryClient();
  void followEvents(client, stop.signal);
  return client;
}
const event = (name: string, data: string) => `event: ${name}\ndata: ${data}`;

it("fetches the models again on an event that it cannot read", async () => {
  const client = follow([event("model", '{"model_name":"kokoro"}')]);
  const invalidate = vi.spyOn(client, "invalidateQueries");
  await waitFor(() => expect(invalidate).toHaveBeenCalledWith({ queryKey: keys.models }));
});

it("fetches a book and the list of books again when the book was changed", async () => {
  const client = follow([event("book", '{"id":"b"}')]);
  const invalidate = vi.spyOn(client, "invalidateQueries");
  await waitFor(() => expect(invalidate).toHaveBeenCalledWith({ queryKey: keys.book("b") }));
  expect(invalidate).toHaveBeenCalledWith({ queryKey: keys.bookList });
});

it("drops malformed events and continues with the next one", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  follow([
    event("generation", "no JSON"),
    event("generation", "null"),
    event("generation", '{"id":7,"status":"generating","progress":0.5}'),
    event("generation", '{"id":"a","status":"dancing","progress":0.5}'),
    event("model", '{"model_name":"kokoro","status":"downloading","current":"many"}'),
    event("something new", "{}"),
    event("generation", '{"id":"b","status":"generating","progress":0.5}'),
    event("model", '{"model_name":"piper","status":"downloading","current":1,"total":2,"retry":null}'),
  ]);
  await waitFor(() => expect(downloads()).toEqual(["piper"]));
  expect(generations()).toEqual(["b"]);
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it("reads what has ended again where its first answer was under way", async () => {
  const client = follow([event("generation", '{"id":"g","status":"complete","progress":1}')]);
  const invalidate = vi.spyOn(client, "invalidateQueries");
  const queryKey = keys.generation("g");
  let answerFirst: (data: { status: string }) => void = () => undefined;
  const queryFn = vi.fn(() => Promise.resolve({ status: "complete" }));
  queryFn.mockReturnValueOnce(new Promise((resolve) => (answerFirst = resolve)));
  const stopReading = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  await waitFor(() => expect(invalidate).toHaveBeenCalledWith({ queryKey }));
  answerFirst({ status: "generating" });
  await waitFor(() => expect(client.getQueryData(queryKey)).toEqual({ status: "complete" }));
  stopReading();
});
