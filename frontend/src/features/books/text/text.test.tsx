import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aBook, page, reply } from "@/test";
import { firstSentences } from "../voice/hearBook";
import { drop, epub, fakeWindow, open } from "../testKit";

beforeEach(fakeWindow);

const notes = { class: "notes", words: 100, sample: "See the next page.", switch: "notes" };

it("what is left out has its count, a sample and a switch", async () => {
  const book = aBook({ words: { body: 2500, kept: 2400, left_out: [notes], read: [] }, options: { speed: 1.2 } });
  const { api, user } = open({ "GET /books/{id}": book, "PATCH /books/{id}": book }, book.id);
  await screen.findByText("The file has 2,500 words: 2,400 are read aloud, 100 are left out.");
  expect(screen.getByText("100 words left out")).toBeVisible();
  expect(screen.getByText("See the next page.")).toBeVisible();
  await user.click(screen.getByRole("switch", { name: "Read aloud: Footnotes and endnotes" }));
  await waitFor(() =>
    expect(api.to("PATCH /books/{id}")[0]?.body).toEqual({ options: { speed: 1.2, read: ["notes"] } }),
  );
});

it("a word that stands out is said as the person writes it", async () => {
  const book = aBook();
  const { api, user } = open(
    {
      "GET /books/{id}": book,
      "PATCH /books/{id}": book,
      "GET /books/{id}/check": page([{ word: "Caoimhe", kind: "name", count: 3, sample: "told Caoimhe that" }]),
    },
    book.id,
  );
  await user.click(await screen.findByText("Words to check"));
  await user.click(await screen.findByRole("button", { name: "Say “Caoimhe” as" }));
  await user.keyboard("KEE-va{Enter}");
  await waitFor(() =>
    expect(api.to("PATCH /books/{id}")[0]?.body).toEqual({ options: { pronunciations: { Caoimhe: "KEE-va" } } }),
  );
});

it("a changed file that is dropped on the book says how its chapters compare, and what was found", async () => {
  const book = aBook();
  const report = { same: 22, changed: 1, new: 1, removed: 0 };
  const note = { code: "part_damaged", detail: "x", params: { name: "c2.xhtml" } };
  open({ "GET /books/{id}": book, "POST /books/{id}/update": reply(200, { ...book, report, notes: [note] }) }, book.id);
  await screen.findByRole("heading", { name: "Skellig Head" });
  drop(epub("second.epub"));
  await screen.findByText("Chapters: 22 unchanged, 1 changed, 1 new, 0 removed.");
  expect(screen.getByText("The part “c2.xhtml” is damaged and was left out.")).toBeVisible();
});

it("a file that cannot be read says why", async () => {
  const book = aBook();
  const locked = { code: "unsupported_media", detail: "x", remedy: "", params: { reason: "locked" } };
  open({ "GET /books/{id}": book, "POST /books/{id}/update": reply(415, locked) }, book.id);
  await screen.findByRole("heading", { name: "Skellig Head" });
  drop(epub("locked.epub"));
  await waitFor(() =>
    expect(screen.getByRole("alert")).toHaveTextContent(/“locked.epub” couldn’t be read.*copy-protected/),
  );
});

it("a voice is heard on whole sentences", () => {
  expect(firstSentences("A short  text.")).toBe("A short text.");
  const text = `${"The lamp was lit by hand. ".repeat(11)}And this sentence goes on and on without an end, and on, and on`;
  expect(firstSentences(text)).toBe("The lamp was lit by hand. ".repeat(11).trim());
  expect(firstSentences("word ".repeat(100)).length).toBeLessThanOrEqual(300);
});
