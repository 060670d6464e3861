import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Failure } from "@/api/types";
import { aBook, aChapter, aModel, aProfile, page, reply } from "@/test";
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
    const chapters = [done, aChapter({ title: "The ferry", state: "changed" })];
    const book = aBook({ chapters, state: "changed", options: { profile_id: "anna" } });
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

  it("asks for a voice first where the book has none", async () => {
    const voice = aProfile({ name: "Bella" });
    const model = aModel({ downloaded: true, state: "downloaded" });
    const book = aBook();
    const { user, api } = open(
      {
        "GET /books/{id}": book,
        "GET /profiles": page([voice]),
        "GET /models/status": { models: [model] },
        "PATCH /books/{id}": book,
        "POST /books/{id}/generate": book,
      },
      book.id,
    );
    await user.click(await screen.findByRole("button", { name: "Generate" }));
    await user.dblClick(await screen.findByText("Bella"));
    await waitFor(() => expect(api.to("POST /books/{id}/generate")).toHaveLength(1));
    expect(api.to("PATCH /books/{id}")[0]?.body).toEqual({ options: { profile_id: voice.id } });
  });

  it("shows the price of a hosted voice, and asks for it before it begins", async () => {
    const voice = aProfile({ voice_type: "hosted" });
    const book = aBook({ options: { profile_id: voice.id } });
    const quote = { credits: 1200, ask: true, warn: false, calls: 2, characters: 12_000, credits_left: 84_000 };
    const { user, api } = open(
      {
        "GET /books/{id}": book,
        "GET /profiles/{id}": voice,
        "POST /books/{id}/quote": quote,
        "POST /books/{id}/generate": ({ body }: { body: { accept_credits?: number } }) =>
          body.accept_credits === 1200
            ? reply(202, { ...book, generating: true })
            : reply(409, {
                code: "hosted_confirm",
                detail: "It costs 1200 credits.",
                remedy: "",
                params: { credits: 1200 },
              }),
      },
      book.id,
    );
    await waitFor(() => expect(screen.getByRole("status", { name: /1,200/ })).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Generate" }));
    const question = await screen.findByRole("dialog");
    expect(question).toHaveTextContent("1,200");
    await user.click(within(question).getAllByRole("button").at(-1) ?? question);
    await waitFor(() => expect(api.to("POST /books/{id}/generate")).toHaveLength(2));
    expect(api.to("POST /books/{id}/generate")[1]?.body).toEqual({ accept_credits: 1200 });
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
