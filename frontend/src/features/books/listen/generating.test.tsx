import { screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Failure } from "@/api/types";
import { aBook, aChapter, aModel, aProfile, page } from "@/test";
import { fakeWindow, open } from "../testKit";

beforeAll(() => import("@/features/picker/PickerDialog")); // loading it may take longer than a test waits
beforeEach(fakeWindow);

const failed = (title: string, error: Failure) => aChapter({ title, state: "failed", error });
const lost: Failure = {
  code: "profile_not_found",
  detail: "The voice “Anna” of the book was deleted.",
  remedy: "Choose another voice for the book.",
  params: { name: "Anna" },
};

describe("generating", () => {
  it("says which chapter is generated and for how long, and stops", async () => {
    const book = aBook({
      chapters: [
        aChapter({ state: "done", seconds: 300 }),
        aChapter({ title: "The ferry", wanted: true, state: "partial", progress: 0.4, generations: ["g1"] }),
        aChapter({ title: "Morning", wanted: true }),
      ],
      state: "partial",
      generating: true,
      progress: 0.5,
      eta_seconds: 600,
    });
    const { user, api } = open({ "GET /books/{id}": book, "POST /books/{id}/stop": book }, book.id);
    const bar = await screen.findByRole("progressbar", { name: /^Chapter 2 of 3 · 10.min left$/ });
    expect(bar).toHaveAttribute("aria-valuenow", "50");
    for (const text of ["5:00", "40%", "Waiting"]) expect(screen.getByText(text)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Stop" }));
    await waitFor(() => expect(api.to("POST /books/{id}/stop")).toHaveLength(1));
  });

  it("generates one chapter again, and what is not up to date by Ctrl+Enter", async () => {
    const done = aChapter({ state: "done" });
    const book = aBook({ chapters: [done, aChapter({ title: "The ferry", state: "changed" })], state: "changed" });
    const { user, api } = open({ "GET /books/{id}": book, "POST /books/{id}/generate": book }, book.id);
    await user.click(await screen.findByRole("button", { name: "Regenerate “The lamp”" }));
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(api.to("POST /books/{id}/generate")).toHaveLength(2));
    expect(api.to("POST /books/{id}/generate").map(({ body }) => body)).toEqual([
      { chapters: [done.id], again: true },
      {},
    ]);
    expect(screen.getByRole("button", { name: "Generate 1 chapter" })).toBeVisible();
  });

  it("says once why chapters failed, and chooses another voice for them", async () => {
    const other = aProfile({ name: "Bella" });
    const model = aModel({ downloaded: true, state: "downloaded" });
    const chapters = [failed("The lamp", lost), failed("The ferry", lost)];
    const book = aBook({ chapters, state: "failed", options: { profile_id: "gone", speed: 1.1 } });
    const { user, api } = open(
      {
        "GET /books/{id}": book,
        "GET /profiles": page([other]),
        "GET /models/status": { models: [model] },
        "PATCH /books/{id}": book,
        "POST /books/{id}/generate": book,
      },
      book.id,
    );
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("2 chapters failed.");
    await user.click(screen.getByRole("button", { name: "Choose another voice" }));
    await user.dblClick(await screen.findByText("Bella"));
    await waitFor(() => expect(api.to("POST /books/{id}/generate")).toHaveLength(1));
    expect(api.to("PATCH /books/{id}")[0]?.body).toEqual({ options: { profile_id: other.id, voice: "", speed: 1.1 } });
    expect(api.to("POST /books/{id}/generate")[0]?.body).toEqual({ chapters: chapters.map(({ id }) => id) });
  });

  it("leads to the models where the disk is full, and tries again", async () => {
    const full: Failure = {
      code: "insufficient_disk",
      detail: "There is not enough space.",
      remedy: "",
      params: { needed: 2e9, free: 1e8 },
    };
    const chapter = failed("The lamp", full);
    const book = aBook({ chapters: [chapter], state: "failed" });
    const { user, api } = open({ "GET /books/{id}": book, "POST /books/{id}/generate": book }, book.id);
    await waitFor(() => expect(screen.getByRole("button", { name: "Free up space" })).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(api.to("POST /books/{id}/generate")[0]?.body).toEqual({ chapters: [chapter.id] }));
  });
});
