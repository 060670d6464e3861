import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { dropFiles } from "./drop";
import { epub, type Chapter } from "./epub";
import { faultsOfLayout } from "./layout";
import { expect, open, test, waitForPage } from "./studio";

const chapters: readonly Chapter[] = [
  {
    title: "The Lamp",
    paragraphs: ["The lamp was lit by hand for the last time.", "Nobody had told Caoimhe that they would come."],
  },
  {
    title: "The Ferry",
    paragraphs: [
      'The ferry passed at noon<a epub:type="noteref" href="#n">1</a>.',
      '<span id="n" epub:type="footnote">The ferry of the company.</span>',
    ],
  },
  { title: "The Morning", paragraphs: ["In the morning there were four men at the gate."] },
];
const file = { name: "winter.epub", type: "application/epub+zip", bytes: epub("Last Winter", "Ann Author", chapters) };

const list = (page: Page) => page.getByRole("list", { name: "Chapters" });
const chapter = (page: Page, name: string) => list(page).getByRole("button", { name, exact: true });
const picture = (page: Page, name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) });

/** Drops a book on the screen of all books, and waits for its page. */
async function dropBook(page: Page): Promise<void> {
  await open(page, "books");
  await dropFiles(page, [file]);
  await expect(page.getByRole("heading", { name: "Last Winter" })).toBeVisible();
  await expect(list(page).getByRole("listitem")).toHaveCount(3);
}

test("a dropped EPUB shows its chapters, and what is left out with a switch", async ({ studio }) => {
  await dropBook(studio);
  await picture(studio, "new");
  await expect(studio.getByText("5 words left out")).toBeVisible();
  const notes = studio.getByRole("switch", { name: "Read aloud: Footnotes and endnotes" });
  await notes.click();
  await expect(studio.getByText(/^All \d+ words of the file are read aloud/)).toBeVisible();
  await expect(notes).toBeChecked();
  await studio.getByRole("button", { name: "Hear it on this book" }).click();
  await expect(studio.getByRole("button", { name: "Hear it on this book" })).toBeVisible(); // it has been heard
  await expect(studio.getByRole("complementary").getByRole("alert")).toHaveCount(0);
  await open(studio, "history");
  await expect(studio.getByText("No generations yet")).toBeVisible();
});

test("the chapters are corrected by keys alone, with the focus on their row", async ({ studio }) => {
  await dropBook(studio);
  await chapter(studio, "Chapter 1, The Lamp").focus();
  await studio.keyboard.press("ArrowDown");
  await expect(chapter(studio, "Chapter 2, The Ferry")).toBeFocused();
  await studio.keyboard.press("F2");
  await studio.keyboard.type("The Boat");
  await studio.keyboard.press("Enter");
  await expect(chapter(studio, "Chapter 2, The Boat")).toBeFocused();
  await studio.keyboard.press("Alt+ArrowUp");
  await expect(chapter(studio, "Chapter 1, The Boat")).toBeFocused();
  await studio.keyboard.press("m");
  await expect(list(studio).getByRole("listitem")).toHaveCount(2);
  await expect(chapter(studio, "Chapter 1, The Boat")).toBeFocused();
  await studio.keyboard.press("Control+z");
  await expect(list(studio).getByRole("listitem")).toHaveCount(3);
  await studio.keyboard.press("Delete");
  await expect(studio.getByText("1 skipped")).toBeVisible();
  await chapter(studio, "Chapter 2, The Lamp").press("Enter");
  const dialog = studio.getByRole("dialog", { name: "The Lamp" });
  await expect(dialog.getByRole("button", { name: /^The lamp was lit/ })).toBeVisible();
  await studio.keyboard.press("ArrowDown");
  await studio.keyboard.press("ArrowDown");
  await picture(studio, "split");
  await accessible(studio, "split");
  await studio.keyboard.press("Enter");
  await expect(list(studio).getByRole("listitem")).toHaveCount(4);
});

test("books are accessible and fit in both themes, in German and in small windows", async ({ studio }) => {
  test.slow();
  await open(studio, "books");
  await picture(studio, "empty");
  await accessible(studio, "empty");
  await dropBook(studio);
  const book = new URL(studio.url()).hash.replace("#/", "");
  for (const [language, colorScheme] of [
    ["en", "dark"],
    ["de", "light"],
  ] as const) {
    await studio.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await studio.evaluate((chosen) => {
      localStorage.setItem("voicewright.prefs", JSON.stringify({ language: chosen }));
    }, language);
    await studio.reload();
    for (const [width, height] of [
      [1280, 800],
      [800, 600],
      [400, 300],
    ] as const) {
      await studio.setViewportSize({ width, height });
      for (const [name, place] of [
        ["all", "books"],
        ["one", book],
      ] as const) {
        await open(studio, place);
        await waitForPage(studio);
        const where = `${name}-${language}-${String(width)}`;
        await picture(studio, where);
        if (width !== 800) await accessible(studio, where);
        expect.soft(await studio.evaluate(faultsOfLayout), where).toEqual([]);
      }
    }
  }
});
