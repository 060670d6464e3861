import { expect, type Page } from "@playwright/test";
import type { Book, BookBlock, BookChapter, Failure } from "@/api/types";
import { heartId, now, show } from "./scene";

const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const bookId = "01a1fe00-0000-7000-8000-000000000001";
const chapterId = (n: number) => `01a1fe00-0000-7000-8000-${String(100 + n).padStart(12, "0")}`;

/** The chapters of the imagined book: title, words, minutes. */
const contents: [string, number, number][] = [
  ["The last winter", 3120, 19.4],
  ["Slates", 2874, 17.9],
  ["Nineteen years", 3390, 21.2],
  ["The ferry at ten past six", 2655, 16.5],
  ["Four men in yellow coats", 3018, 18.8],
  ["A lamp that needed no one", 2210, 13.7],
  ["What the log said", 3544, 22.1],
  ["Morning", 1876, 11.6],
];
const words = contents.reduce((sum, [, count]) => sum + count, 0);
const minutes = contents.reduce((sum, [, , length]) => sum + length, 0);

function chapterOf([title, count, length]: [string, number, number], n: number): BookChapter {
  return {
    id: chapterId(n),
    title,
    level: 1,
    words: count,
    characters: count * 6,
    state: "done",
    generations: [`01a1fe00-0000-7000-8000-${String(200 + n).padStart(12, "0")}`],
    skipped: false,
    wanted: false,
    seconds: length * 60,
    progress: 1,
    left_out: n === 0 ? 12 : 0,
    options: {},
    error: null,
  };
}

export const finished: Book = {
  id: bookId,
  title: "The last winter at Skellig",
  author: "Nora Tynan",
  narrator: "",
  language: "en",
  description: "The last winter of the light at Skellig Head, and of the people who lived by it.",
  publisher: "Skellig Press",
  year: "2026",
  genre: "Fiction",
  isbn: "978-3-16-148410-0",
  series: "Lights of the west",
  series_part: "1",
  chapters: contents.map(chapterOf),
  words: {
    body: words + 412,
    kept: words,
    left_out: [{ class: "front_matter", words: 412, sample: "Copyright © 2026 Nora Tynan", switch: "front_matter" }],
    read: [],
  },
  passages: { generated: 2204, reused: 0 },
  options: { profile_id: heartId, profile_name: "Heart", language: "en" },
  depth: 1,
  depths: [8],
  source: { name: "winter.epub", sha256: "00", bytes: 812_000 },
  has_cover: false,
  state: "done",
  generating: false,
  seconds: minutes * 60,
  length_seconds: minutes * 60,
  eta_seconds: null,
  progress: 1,
  undos: 0,
  place: { chapter_id: chapterId(2), seconds: 512 },
  created_at: ago(3000),
  updated_at: ago(20),
};

const paragraphs = [
  "The lamp at Skellig Head was lit by hand for the last time on a Tuesday in November, in a wind that took the slates off the boathouse.",
  "Nobody had told [[Caoimhe|KEE-va]] that the engineers would come in the morning, and she climbed the stairs as she had for nineteen years.",
  "At the top she wiped the salt from the glass, trimmed the wick, and waited for the dark to come up out of the sea.",
];
const blocks: BookBlock[] = [
  { kind: "heading", level: 1, spans: [{ text: "The last winter" }] },
  ...paragraphs.map((text): BookBlock => ({ kind: "paragraph", spans: [{ text, markup: true }] })),
  { kind: "scene" },
  { kind: "note", spans: [{ text: "The light is automatic since 1996.", class: "notes" }] },
  { kind: "paragraph", spans: [{ text: "Then she wrote in the log what she always wrote." }] },
];

/** Answers for the books as if there were one, which is changed for the picture. */
async function imagineBook(page: Page, changes: Partial<Book> = {}): Promise<void> {
  const book: Book = { ...finished, ...changes };
  const done = book.chapters.filter(({ state }) => state === "done").length;
  const row = { ...book, chapters: { done, total: book.chapters.length } };
  await page.route(
    (url) => /^\/books(\/|$)/.test(url.pathname),
    async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/books") await route.fulfill({ json: { items: [row], total: 1, next_cursor: null } });
      else if (pathname.endsWith("/export/size")) await route.fulfill({ json: { bytes: 67_400_000, seconds: 74 } });
      else if (pathname.endsWith("/check")) await route.fulfill({ json: { items: [] } });
      else if (pathname.includes("/chapters/")) await route.fulfill({ json: { ...book.chapters[0], blocks } });
      else await route.fulfill({ json: book });
    },
  );
}

export async function showBook(page: Page, changes: Partial<Book> = {}): Promise<void> {
  await imagineBook(page, changes);
  await show(page, `books/${bookId}`);
  await expect(page.getByText("Slates")).toBeVisible();
}

/** The chapters of the book, of which the first `count` are as they are, and the others are changed. */
const from = (count: number, change: (chapter: BookChapter, n: number) => Partial<BookChapter>): BookChapter[] =>
  finished.chapters.map((chapter, n) =>
    n < count ? chapter : { ...chapter, state: "new", generations: [], seconds: 0, progress: 0, ...change(chapter, n) },
  );

const lost: Failure = {
  code: "profile_not_found",
  detail: "The voice “Heart” of the book was deleted.",
  remedy: "Choose another voice for the book, then generate the rest.",
  params: { name: "Heart" },
};

/** A book with audio, and its dialogs. */
export const bookPictures: Record<string, (page: Page) => Promise<void>> = {
  book: (page) => showBook(page),
  "book-export": async (page) => {
    await showBook(page);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await expect(page.getByText("About 67 MB")).toBeVisible();
  },
  "book-details": async (page) => {
    await showBook(page);
    await page.getByRole("button", { name: "Book details" }).click();
    await expect(page.getByRole("textbox", { name: "Author" })).toBeVisible();
  },
  "book-text": async (page) => {
    await showBook(page);
    await page.getByRole("button", { name: "Edit “The last winter”" }).click();
    await page.getByRole("menuitem", { name: "Edit text" }).click();
    await expect(page.getByRole("textbox", { name: "Paragraph 2" })).toBeVisible();
  },
};

/** A book in work, and one whose voice is missing. */
export const bookStates: Record<string, (page: Page) => Promise<void>> = {
  "book-generating": async (page) => {
    const chapters = from(3, (_, n) =>
      n === 3 ? { state: "partial", progress: 0.62, wanted: true, generations: ["g"] } : { wanted: true },
    );
    await showBook(page, { chapters, state: "partial", generating: true, progress: 0.44, eta_seconds: 1440 });
    await expect(page.getByText("Chapter 4 of 8 · 24 min left")).toBeVisible();
  },
  "book-failed": async (page) => {
    const chapters = from(5, (_, n) => (n < 7 ? { state: "failed", error: lost } : {}));
    await showBook(page, { chapters, state: "failed", progress: 0.66 });
    await expect(page.getByText(/^2 chapters failed/)).toBeVisible();
  },
};
