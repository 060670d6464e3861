import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { dropFiles } from "./drop";
import { epub } from "./epub";
import { expect, open, test } from "./studio";

const mostClicks = 6; // from the dropped file to the audiobook

const skellig = epub("Skellig Head", "Ann Author", [
  { title: "The lamp", paragraphs: ["The lamp was lit by hand for the last time.", "It rained."] },
  { title: "The ferry", paragraphs: ["The ferry passed the island at noon.", "Nobody waved."] },
  { title: "Morning", paragraphs: ["In the morning there were four men at the gate."] },
]);

/** Drops the book, which then opens. */
async function dropBook(page: Page): Promise<void> {
  await open(page, "books");
  await dropFiles(page, [{ name: "skellig.epub", type: "application/epub+zip", bytes: skellig }]);
  await expect(page.getByRole("heading", { name: "Skellig Head" })).toBeVisible();
}

const title = (page: Page, name: string) =>
  page.getByRole("list", { name: "Chapters" }).getByText(name, { exact: true });
const player = (page: Page) => page.getByRole("region", { name: "Player" });

/** Waits until all chapters have audio, which makes the export the primary action. */
async function generated(page: Page): Promise<void> {
  await expect(page.locator('.f-top [data-kind="primary"]', { hasText: "Export" })).toBeVisible();
}

interface Probe {
  format: { tags: Record<string, string> };
  chapters: { tags: { title: string } }[];
  streams: { codec_name: string }[];
}

/** Returns what ffprobe finds in a file; null where it is not installed. */
function probe(path: string): Probe | null {
  try {
    const show = ["-show_format", "-show_chapters", "-show_streams"];
    return JSON.parse(
      execFileSync("ffprobe", ["-v", "error", "-of", "json", ...show, path], { encoding: "utf8" }),
    ) as Probe;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

test("a dropped EPUB becomes an M4B with a few clicks", async ({ studio: page }) => {
  await page.evaluate(() => {
    window.addEventListener(
      "click",
      () => (document.body.dataset.clicks = String(Number(document.body.dataset.clicks ?? 0) + 1)),
      true,
    );
  });
  await dropBook(page);
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  await generated(page);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect(page.getByText(/^About .* of audio, ready in/)).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export M4B" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("Skellig Head.m4b");
  expect(Number(await page.evaluate(() => document.body.dataset.clicks))).toBeLessThanOrEqual(mostClicks);
  const found = probe(await file.path());
  if (found === null) return;
  expect(found.chapters.map(({ tags }) => tags.title)).toEqual(["The lamp", "The ferry", "Morning"]);
  expect(found.format.tags).toMatchObject({ title: "Skellig Head", artist: "Ann Author" });
  expect(found.streams[0]?.codec_name).toBe("aac");
});

test("the same goes with the keyboard alone", async ({ studio: page }) => {
  await dropBook(page);
  await page.keyboard.press("Control+Enter");
  await generated(page);
  const exportButton = page.getByRole("button", { name: "Export", exact: true });
  await exportButton.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Export M4B" })).toBeFocused();
  await accessible(page, "export dialog");
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toBe("Skellig Head.m4b");
  await expect(exportButton).toBeFocused();
});

test("chapters play one after the other, and the place survives a reload", async ({ studio: page }) => {
  await dropBook(page);
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  await generated(page);
  await accessible(page, "a book with audio");
  await page.getByRole("button", { name: "Play “The lamp”" }).click();
  await expect(player(page).getByText("The lamp")).toBeVisible();
  await open(page, "history"); // listening goes on
  await expect(player(page).getByText("The ferry")).toBeVisible();
  await player(page).getByRole("button", { name: "Next chapter" }).click();
  await expect(player(page).getByText("Morning")).toBeVisible();
  await expect(player(page).locator(".p-now")).not.toHaveText("0:00");
  await player(page).getByRole("button", { name: "Pause" }).click();
  await player(page).getByRole("link", { name: "Skellig Head" }).click();
  await expect(title(page, "Morning")).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Continue listening" }).click();
  await expect(player(page).getByText("Morning")).toBeVisible();
});

test("a chapter opens in the Studio, and what is changed there is in the book", async ({ studio: page }) => {
  await dropBook(page);
  await page.keyboard.press("Control+Enter");
  await generated(page);
  await page.getByRole("button", { name: "Edit “The ferry”" }).click();
  await page.getByRole("menuitem", { name: "Open in Studio" }).click();
  await expect(page.getByText("Chapter “The ferry” of “Skellig Head”.")).toBeVisible();
  await accessible(page, "a chapter in the Studio");
  const line = page.locator(".cm-line", { hasText: "Nobody waved." });
  await line.click();
  await page.keyboard.press("End");
  await page.keyboard.type(" It was dark.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(/passage.* generated/)).toBeVisible();
  await page.getByRole("link", { name: "Back to the book" }).click();
  await generated(page);
  await page.getByRole("button", { name: "Edit “The ferry”" }).click();
  await page.getByRole("menuitem", { name: "Edit text" }).click();
  await expect(page.getByRole("textbox").last()).toHaveValue("Nobody waved. It was dark.");
});
