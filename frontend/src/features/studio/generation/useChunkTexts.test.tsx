import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Generation } from "@/api/types";
import { aGeneration, fakeApi, renderWithProviders } from "@/test";
import { locate } from "../editor/locateChunks";
import { useChunkTexts } from "./useChunkTexts";

const sentence = (i: number) => `The ferry left pier ${i} before the lamps were lit.`;
const chunks = Array.from({ length: 2000 }, (_, i) => sentence(i));
const text = chunks.join(" ");

/** Shows how many passages of the text have a mark. */
function Marked({ generation, running }: { generation: Generation; running: boolean }) {
  const texts = useChunkTexts(generation, running, null);
  return <p>{locate(text, texts ?? []).filter(({ same }) => same).length} marked</p>;
}

test("a text of 100,000 characters has marks while it is generated, from one preview", async () => {
  expect(text.length).toBeGreaterThan(100_000);
  const api = fakeApi({ "POST /text/preview": { chunks } });
  const running = aGeneration({ text, status: "generating", chunks: [], chunks_total: chunks.length });
  renderWithProviders(<Marked generation={running} running />);
  await waitFor(() => expect(screen.getByText("2000 marked")).toBeInTheDocument());
  expect(api.to("POST /text/preview")).toHaveLength(1);
});

test("a complete generation has its own chunks, and a stopped one without chunks has no marks", async () => {
  const api = fakeApi({});
  const chunk = aGeneration().chunks[0] as Generation["chunks"][number];
  const made = aGeneration({ text, chunks: chunks.map((text) => ({ ...chunk, text })) });
  const { unmount } = renderWithProviders(<Marked generation={made} running={false} />);
  await waitFor(() => expect(screen.getByText("2000 marked")).toBeInTheDocument());
  unmount();
  renderWithProviders(<Marked generation={{ ...made, chunks: [] }} running={false} />);
  await waitFor(() => expect(screen.getByText("0 marked")).toBeInTheDocument());
  expect(api.to("POST /text/preview")).toHaveLength(0);
});

test("a stopped generation has the chunks of a preview while what was finished of it is there", async () => {
  const api = fakeApi({ "POST /text/preview": { chunks } });
  const stopped = aGeneration({
    text,
    status: "cancelled",
    chunks: [],
    partial: { chunks: 8, total: 2000, seconds: 9 },
  });
  renderWithProviders(<Marked generation={stopped} running={false} />);
  await waitFor(() => expect(screen.getByText("2000 marked")).toBeInTheDocument());
  expect(api.to("POST /text/preview")).toHaveLength(1);
});

test("passages of a hosted voice are unchanged where words were respelled for it", async () => {
  fakeApi({});
  const chunk = aGeneration().chunks[0] as Generation["chunks"][number];
  const written = "# One\n\nRun nginx [whistles], then [[Oslo|oss-loo]].\n\n[pause 1s]\n\nIt is late.";
  const sent = ["One\n\nRun engine ex, then oss-loo.", "It is late."];
  const made = aGeneration({ text: written, chunks: sent.map((text) => ({ ...chunk, text })) });
  function States({ text }: { text: string }) {
    const ranges = locate(text, useChunkTexts(made, false, null) ?? []);
    return <p>{ranges.map(({ same }) => (same ? "same" : "changed")).join(" ")}</p>;
  }
  const { unmount } = renderWithProviders(<States text={written} />);
  await waitFor(() => expect(screen.getByText("same same")).toBeInTheDocument());
  unmount();
  renderWithProviders(<States text={written.replace("late", "early")} />);
  await waitFor(() => expect(screen.getByText("same changed")).toBeInTheDocument());
});
