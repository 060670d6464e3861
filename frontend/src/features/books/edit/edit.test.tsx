import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { BookBlock } from "@/api/types";
import { aBook, aChapter, aGeneration } from "@/test";
import { fakeWindow, open } from "../testKit";
import { leftOutText, spokenText } from "./spoken";

beforeEach(fakeWindow);

const paragraph = (text: string): BookBlock => ({ kind: "paragraph", spans: [{ text }] });

describe("the text of a chapter", () => {
  function show(blocks: BookBlock[]) {
    const chapter = aChapter({ title: "The lamp" });
    const book = aBook({ chapters: [chapter], undos: 3 });
    const view = open(
      {
        "GET /books/{id}": book,
        "GET /books/{id}/chapters/{chapter}": { ...chapter, blocks },
        "PATCH /books/{id}/chapters/{chapter}/blocks/{n}": book,
        "POST /books/{id}/undo": book,
      },
      book.id,
    );
    return view;
  }
  const sheet = () => within(screen.getByRole("dialog"));

  it("is saved paragraph by paragraph, and a change can be undone", async () => {
    const { user, api } = show([{ kind: "heading", spans: [{ text: "The lamp" }] }, paragraph("It was dark.")]);
    await user.click(await screen.findByRole("button", { name: "Edit “The lamp”" }));
    const field = await screen.findByRole("textbox", { name: "Paragraph 2" });
    expect(sheet().getByRole("button", { name: "Undo last change" })).toBeDisabled();
    await user.clear(field);
    await user.type(field, "It was night.");
    await user.tab();
    await waitFor(() => expect(api.to("PATCH /books/{id}/chapters/{chapter}/blocks/{n}")).toHaveLength(1));
    expect(api.to("PATCH /books/{id}/chapters/{chapter}/blocks/{n}")[0]).toMatchObject({
      params: { n: "1" },
      body: { text: "It was night." },
    });
    await waitFor(() => expect(sheet().getByText("Saved")).toBeVisible());
    await user.click(sheet().getByRole("button", { name: "Undo last change" }));
    await waitFor(() => expect(api.to("POST /books/{id}/undo")).toHaveLength(1));
    await waitFor(() => expect(sheet().getByRole("button", { name: "Undo last change" })).toBeDisabled());
  });

  it("stays as it was after Esc, and where nothing is changed", async () => {
    const { user, api } = show([paragraph("It was dark.")]);
    await user.click(await screen.findByRole("button", { name: "Edit “The lamp”" }));
    const field = await screen.findByRole("textbox", { name: "Paragraph 1" });
    await user.type(field, " Very.{Escape}");
    expect(field).toHaveValue("It was dark.");
    await user.tab();
    expect(screen.getByRole("dialog")).toBeVisible();
    expect(api.to("PATCH /books/{id}/chapters/{chapter}/blocks/{n}")).toEqual([]);
  });

  it("shows what is left out, which cannot be changed", async () => {
    const { user } = show([
      paragraph("It was dark."),
      { kind: "note", spans: [{ text: "Or nearly.", class: "notes" }] },
    ]);
    await user.click(await screen.findByRole("button", { name: "Edit “The lamp”" }));
    await waitFor(() => expect(screen.getByText("Or nearly.")).toBeVisible());
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
  });
});

describe("a chapter with audio", () => {
  it("opens in the Studio, each part by itself", async () => {
    const [first, second] = [aGeneration(), aGeneration()];
    const chapter = aChapter({ title: "The lamp", state: "done", generations: [first.id, second.id] });
    const book = aBook({ chapters: [chapter] });
    const { user } = open({ "GET /books/{id}": book }, book.id);
    await user.click(await screen.findByRole("button", { name: "Edit “The lamp”" }));
    await waitFor(() => expect(screen.getByRole("menuitem", { name: "Edit text" })).toBeVisible());
    await user.click(screen.getByRole("menuitem", { name: "Part 2 in Studio" }));
    expect(location.hash).toBe(`#/studio?from=${second.id}`);
  });
});

describe("the spoken text of a block", () => {
  const block: BookBlock = {
    kind: "paragraph",
    spans: [
      { text: "The " },
      { text: "東京", say: "とうきょう" },
      { text: " lamp [laughs] was lit" },
      { text: "12", class: "note_marks" },
      { text: ". [pause 1s]", markup: true },
    ],
  };
  it("has readings and markup, but no words that are left out", () => {
    expect(spokenText(block, [])).toBe("The [[東京|とうきょう]] lamp (laughs) was lit. [pause 1s]");
    expect(spokenText(block, ["note_marks"])).toContain("lit12.");
    expect(leftOutText(block, [])).toBe("12");
  });
});
