import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteStatus } from "@/api/ends";
import { announced } from "@/lib/announce";
import { keys } from "@/api/keys";
import { aBookRow, fakeApi, page, renderWithProviders } from "@/test";
import { Announcer } from "./Announcer";

beforeEach(() => {
  vi.useFakeTimers();
  announced.set({ text: "", n: 0 });
});
afterEach(() => void vi.useRealTimers());

const later = () => act(() => vi.advanceTimersByTime(400));
const region = () => document.querySelector("[aria-live=polite].sr-only")?.textContent.trim();

it("says once that a generation is done, failed or stopped, and nothing of its progress", () => {
  renderWithProviders(<Announcer />);
  noteStatus("generation", "g1", "generating");
  noteStatus("generation", "g1", "generating");
  later();
  expect(region()).toBe("");
  noteStatus("generation", "g1", "complete");
  noteStatus("generation", "g1", "complete");
  later();
  expect(screen.getByText("The generation is done.")).toBeInTheDocument();
  noteStatus("download", "kokoro", "downloading");
  noteStatus("download", "kokoro", "error");
  noteStatus("transcript", "t1", "transcribing");
  noteStatus("transcript", "t1", "cancelled");
  later();
  expect(region()).toBe("The download failed. The transcript was stopped.");
});

it("counts the generations of a script together, once the last one has ended", () => {
  renderWithProviders(<Announcer />);
  for (const id of ["a", "b", "c"]) noteStatus("generation", id, "queued");
  noteStatus("generation", "a", "complete");
  noteStatus("generation", "b", "failed");
  later();
  expect(region()).toBe("");
  noteStatus("generation", "c", "complete");
  later();
  expect(region()).toBe("2 generations are done. The generation failed.");
});

it("is silent about jobs that ended before the page saw them", () => {
  renderWithProviders(<Announcer />);
  noteStatus("generation", "old", "complete");
  later();
  expect(region()).toBe("");
});

it("says when a book has been generated", async () => {
  vi.useRealTimers();
  const book = aBookRow({ title: "Skellig Head", generating: true });
  const api = fakeApi({ "GET /books": page([book]) });
  const { client } = renderWithProviders(<Announcer />);
  await waitFor(() => expect(client.getQueryData(keys.bookList)).toBeDefined());
  api.set("GET /books", page([{ ...book, generating: false, state: "done" }]));
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(region()).toBe("“Skellig Head” is done."));
});
