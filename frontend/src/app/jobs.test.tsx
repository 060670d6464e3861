import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { applyGeneration, setGenerations } from "@/api/live";
import { aBook, aBookRow, aGeneration, fakeApi, page, renderWithProviders } from "@/test";
import { Jobs } from "./Jobs";

afterEach(() => act(() => setGenerations([])));

test("a hosted job says why it waits", async () => {
  const job = aGeneration({ text: "Winter came.", status: "queued", source: "hosted", chunks: [] });
  fakeApi({ "GET /generate/{id}": { ...job, wait: { reason: "busy", seconds: 40 } } });
  applyGeneration(job);
  const { user } = renderWithProviders(<Jobs />);
  await user.click(screen.getByRole("button", { name: /1/ }));
  await waitFor(() => expect(screen.getByText(/^The service is busy, trying again in/)).toBeVisible());
});

test("a book that is generated is one job, without its generations", async () => {
  const book = aBookRow({ title: "Skellig Head", generating: true, progress: 0.42, eta_seconds: 240 });
  const part = aGeneration({ status: "generating", request: { book_id: book.id } });
  const api = fakeApi({
    "GET /books": page([book]),
    "GET /books/{id}": aBook({ ...book, chapters: [] }),
    "POST /books/{id}/stop": aBook({ id: book.id }),
  });
  applyGeneration(part);
  const { user } = renderWithProviders(<Jobs />);
  await user.click(await screen.findByRole("button", { name: "1 job" }));
  await waitFor(() => expect(screen.getByText("Generating · 42% · 4 min left")).toBeVisible());
  expect(screen.getByRole("link", { name: "Skellig Head" })).toHaveAttribute("href", `#/books/${book.id}`);
  await user.click(screen.getByRole("button", { name: "Stop “Skellig Head”" }));
  await waitFor(() => expect(api.to("POST /books/{id}/stop")).toHaveLength(1));
});
