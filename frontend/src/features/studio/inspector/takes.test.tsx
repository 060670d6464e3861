import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stopAudition } from "@/player";
import { aGeneration, fakeApi, renderWithProviders, type Handler } from "@/test";
import { fakeAudio } from "@/test/fakeAudio";
import type { Generation } from "@/api/types";
import { TakesMenu } from "./TakesMenu";
import type { GenerationFlow } from "../generation/useGenerationFlow";

beforeEach(() => void fakeAudio());
afterEach(() => act(stopAudition));

const chunks = (take: number, takes = 2) => [
  { text: "The lamp was lit by hand.", start: 0.5, end: take === 0 ? 1.5 : 1.25, take, takes },
];

function show(one: Generation, routes: Record<string, Handler> = {}) {
  let now = one;
  const api = fakeApi({
    "GET /history/{id}": () => now,
    "GET /history/{id}/chunks/{n}/takes/{take}": () => new Response(new Blob([])),
    "PATCH /history/{id}": ({ body }: { body: unknown }) => {
      now = { ...now, chunks: chunks((body as { chunks: Record<string, { take: number }> }).chunks["0"]?.take ?? 0) };
      return now;
    },
    ...routes,
  });
  const flow = { generation: one, takeChunk: null, running: false, take: vi.fn<(chunk: number) => void>() };
  const close = vi.fn<() => void>();
  const held = { chunk: 0, mark: () => new DOMRect(10, 10, 24, 24) };
  return {
    api,
    flow,
    close,
    ...renderWithProviders(
      <TakesMenu held={held} flow={flow as unknown as GenerationFlow} close={close} restoreFocus={() => undefined} />,
    ),
  };
}

test("the takes of a passage can be heard without choosing, and a new one can be generated", async () => {
  const { api, flow, close, user } = show(aGeneration({ chunks: chunks(0) }));
  await user.click(await screen.findByRole("button", { name: "Play take 2" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Stop take 2" })).toBeVisible());
  expect(api.to("GET /history/{id}/chunks/{n}/takes/{take}")[0]?.params).toMatchObject({ n: "0", take: "1" });
  expect(api.to("PATCH /history/{id}")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Use this take" }));
  await waitFor(() =>
    expect(api.to("PATCH /history/{id}").map((call) => call.body)).toEqual([{ chunks: { 0: { take: 1 } } }]),
  );
  await user.click(screen.getByRole("button", { name: "New take" }));
  expect(flow.take).toHaveBeenCalledWith(0);
  await user.keyboard("{Escape}");
  expect(close).toHaveBeenCalled();
});

test("a take that cannot be played shows the reason", async () => {
  const { user } = show(aGeneration({ chunks: chunks(0) }), {
    "GET /history/{id}/chunks/{n}/takes/{take}": () =>
      new Response(JSON.stringify({ code: "audio_missing", detail: "gone", remedy: "" }), { status: 410 }),
  });
  await user.click(await screen.findByRole("button", { name: "Play take 1" }));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("The audio file is missing."));
});

test("a deterministic voice offers no new take", async () => {
  show(aGeneration({ engine: "espeak", chunks: chunks(0, 1) }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Play take 1" })).toBeVisible());
  expect(screen.queryByRole("button", { name: "New take" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Compare A / B" })).toBeNull();
});

test("a generation of the hosted service has no takes", () => {
  show(aGeneration({ source: "hosted", chunks: chunks(0, 1) }));
  expect(screen.queryByRole("dialog", { name: "Takes" })).toBeNull();
});
