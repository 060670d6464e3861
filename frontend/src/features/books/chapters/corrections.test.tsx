import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { Book } from "@/api/types";
import { aBook, aChapter, reply, type Call } from "@/test";
import { fakeWindow, open } from "../testKit";
import { moved } from "./useCorrections";

beforeEach(fakeWindow);

const titles = ["The lamp", "The ferry", "Morning"];

/** Opens a book on a server that stores changes of its chapters. */
function openStored(part: Partial<Book> = {}) {
  const book = aBook({ chapters: titles.map((title) => aChapter({ title })), ...part });
  let stored = book;
  const change = (chapters: Book["chapters"]) => (stored = { ...stored, chapters, undos: stored.undos + 1 });
  const patched = ({ params, body }: Call) =>
    change(stored.chapters.map((one) => (one.id === params.chapter ? { ...one, ...(body as object) } : one)));
  const view = open(
    {
      "GET /books/{id}": () => stored,
      "PATCH /books/{id}": ({ body }: Call) => (stored = { ...stored, ...(body as object), undos: stored.undos + 1 }),
      "PATCH /books/{id}/chapters/{chapter}": patched,
      "POST /books/{id}/chapters/{chapter}/move": ({ params, body }: Call) =>
        change(moved(stored.chapters, params.chapter ?? "", (body as { to: number }).to)),
      "POST /books/{id}/chapters/{chapter}/merge": ({ params }: Call) => {
        const at = stored.chapters.findIndex(({ id }) => id === params.chapter);
        return change(stored.chapters.filter((_, i) => i !== at + 1));
      },
      "POST /books/{id}/undo": () => (stored = { ...book, undos: 0 }),
    },
    book.id,
  );
  return { ...view, book };
}

const row = (name: string) => within(screen.getByRole("list", { name: "Chapters" })).getByRole("button", { name });
const first = () => screen.findByRole("button", { name: "Chapter 1, The lamp" });

describe("chapters", () => {
  it("are renamed in their row, whose focus returns", async () => {
    const { api, user } = openStored();
    (await first()).focus();
    await user.keyboard("{F2}");
    const field = screen.getByRole("textbox", { name: "New title of “The lamp”" });
    expect(field).toHaveFocus();
    await user.keyboard("The light{Enter}");
    await waitFor(() => expect(row("Chapter 1, The light")).toHaveFocus());
    expect(api.to("PATCH /books/{id}/chapters/{chapter}")[0]?.body).toEqual({ title: "The light" });
    await user.keyboard("{F2}Nothing{Escape}");
    await waitFor(() => expect(row("Chapter 1, The light")).toHaveFocus());
    expect(api.to("PATCH /books/{id}/chapters/{chapter}")).toHaveLength(1);
  });

  it("propose the language that their file states", async () => {
    const { api, user } = openStored({
      chapters: [aChapter({ title: "Prologue", language: "fr" }), aChapter({ title: "The ferry" })],
      language: "en",
    });
    await user.click(await screen.findByRole("button", { name: "Text in French" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Text in French" })).toBeNull());
    expect(api.to("PATCH /books/{id}/chapters/{chapter}")[0]?.body).toEqual({ options: { language: "fr" } });
  });

  it("move with Alt and the arrow keys, and keep the focus", async () => {
    const { api, user } = openStored();
    (await first()).focus();
    await user.keyboard("{Alt>}{ArrowDown}{ArrowDown}{ArrowDown}{/Alt}");
    await waitFor(() => expect(row("Chapter 3, The lamp")).toHaveFocus());
    await waitFor(() => expect(api.to("POST /books/{id}/chapters/{chapter}/move")).toHaveLength(2));
    expect(api.to("POST /books/{id}/chapters/{chapter}/move").map(({ body }) => body)).toEqual([{ to: 1 }, { to: 2 }]);
  });

  it("are skipped and included again by Delete", async () => {
    const { user } = openStored();
    (await first()).focus();
    await user.keyboard("{Delete}");
    await screen.findByText("1 skipped");
    await user.keyboard("{Delete}");
    await waitFor(() => expect(screen.queryByText("1 skipped")).toBeNull());
  });

  it("are merged with the next, and Ctrl+Z says what it undoes", async () => {
    const { user } = openStored();
    (await first()).focus();
    await user.keyboard("m");
    await waitFor(() => expect(screen.queryByRole("button", { name: /The ferry$/ })).toBeNull());
    await waitFor(() => expect(row("Chapter 1, The lamp")).toHaveFocus());
    await user.keyboard("{Control>}z{/Control}");
    await screen.findByText("Undone: Merged “The lamp” with the next chapter");
    expect(row("Chapter 2, The ferry")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  it("begin at another level of the table of contents", async () => {
    const { api, user } = openStored({ depths: [3, 12] });
    await first();
    const level = screen.getByRole("combobox", { name: /^Level of the table of contents/ });
    await user.selectOptions(level, "Level 2: 12 chapters");
    await waitFor(() => expect(api.to("PATCH /books/{id}")[0]?.body).toEqual({ depth: 2 }));
  });

  it("say why one could not be changed, and show it as it is", async () => {
    const { api, user } = openStored();
    api.set(
      "POST /books/{id}/chapters/{chapter}/merge",
      reply(422, { code: "invalid", detail: "One is skipped.", remedy: "", params: {} }),
    );
    (await first()).focus();
    await user.keyboard("m");
    await screen.findByRole("alert");
    expect(row("Chapter 2, The ferry")).toBeInTheDocument();
  });
});

describe("the text of a chapter", () => {
  it("is split at the paragraph that was chosen by keys", async () => {
    const { api, book, user } = openStored();
    const chapter = book.chapters[0];
    api.set("GET /books/{id}/chapters/{chapter}", {
      ...chapter,
      blocks: ["One.", "Two.", "Three."].map((text) => ({ kind: "paragraph", spans: [{ text }] })),
    });
    api.set("POST /books/{id}/chapters/{chapter}/split", { ...book, undos: 1 });
    (await first()).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("button", { name: "One." })).toHaveFocus());
    expect(screen.getByRole("button", { name: "Split chapter" })).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    await waitFor(() => expect(api.to("POST /books/{id}/chapters/{chapter}/split")[0]?.body).toEqual({ block: 2 }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
