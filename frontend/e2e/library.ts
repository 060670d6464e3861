import { expect, type Page } from "@playwright/test";
import type { Book, BookRow } from "@/api/types";
import { finished, showBook } from "./audiobook";
import { change, show } from "./scene";

const rowOf = (n: number, part: Partial<Book>): BookRow => ({
  ...finished,
  ...part,
  id: `01a1fe00-0000-7000-8000-${String(n * 37).padStart(12, "0")}`,
  chapters: { done: 0, total: 24 },
});

/** All books of the picture, last changed first. */
const books: readonly BookRow[] = [
  rowOf(1, {
    title: "The last winter at Skellig",
    state: "partial",
    progress: 0.44,
    generating: true,
    eta_seconds: 1440,
  }),
  rowOf(2, { title: "A short history of lighthouses", author: "Ilse Lindqvist", length_seconds: 31_600 }),
  rowOf(3, {
    title: "Letters from the boathouse",
    author: "Jonas Weber",
    state: "new",
    progress: 0,
    length_seconds: 8_100,
  }),
  rowOf(4, {
    title: "The keeper’s almanac",
    author: "Ann Tynan",
    state: "partial",
    progress: 0.8,
    length_seconds: 19_200,
  }),
  rowOf(5, { title: "Nineteen years", author: "Nora Tynan", length_seconds: 24_300 }),
];

const leftOut = [
  { class: "notes", words: 1234, sample: "See the annual report of the Board for 1996.", switch: "notes" },
  { class: "front_matter", words: 412, sample: "Copyright © 2026 Nora Tynan", switch: "front_matter" },
];

/** All books, and one whose chapters are corrected. */
export const libraryPictures: Record<string, (page: Page) => Promise<void>> = {
  books: async (page) => {
    await change(page, "/books", () => ({ items: books, total: books.length, next_cursor: null }));
    await show(page, "books");
    await expect(page.getByRole("link", { name: /Nineteen years/ })).toBeVisible();
  },
  "book-new": async (page) => {
    const chapters = finished.chapters.map((chapter, n) => ({
      ...chapter,
      state: "new" as const,
      generations: [],
      seconds: 0,
      progress: 0,
      skipped: n === 7,
    }));
    const words = { body: 24_333, kept: 22_687, left_out: leftOut, read: [] };
    await showBook(page, { chapters, words, state: "new", progress: 0, seconds: 0, depths: [8, 31], undos: 1 });
    await expect(page.getByText("1,646 words left out")).toBeVisible();
  },
  "book-split": async (page) => {
    await showBook(page);
    await page.getByRole("button", { name: "More actions for “The last winter”" }).click();
    await page.getByRole("menuitem", { name: /^Show text and split/ }).click();
    await page.getByRole("button", { name: /^At the top/ }).click();
    await expect(page.getByText("New chapter begins here")).toBeVisible();
  },
};

export const libraryStates: Record<string, (page: Page) => Promise<void>> = {
  "books-empty": async (page) => {
    await show(page, "books");
    await expect(page.getByRole("heading", { name: "No books yet" })).toBeVisible();
  },
};
