import { expect, type Page } from "@playwright/test";
import { imagineAccount } from "./accounts";
import { bookPictures } from "./audiobook";
import { libraryPictures } from "./library";
import { imagineRecording } from "./samples";
import { show } from "./scene";
import { imagineTranscripts } from "./transcripts";
import { paper, row } from "./words";

/** Plays from a mark in the margin, stops at once, and moves the playhead to a fraction of the audio. */
async function hear(page: Page, chunk: number, part: number): Promise<void> {
  await page.locator(`.st-mark[data-chunk="${String(chunk)}"]`).click();
  const bar = page.getByRole("region", { name: "Player" });
  await bar.getByRole("button", { name: "Pause" }).click();
  const wave = bar.locator(".p-wave");
  const box = await wave.boundingBox();
  await wave.click({ position: { x: (box?.width ?? 0) * part, y: (box?.height ?? 0) / 2 } });
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeVisible();
}

/** Each picture of docs/screens: the steps before it is taken. */
export const pictures: Record<string, (page: Page) => Promise<void>> = {
  ...bookPictures,
  ...libraryPictures,
  studio: async (page) => {
    await show(page, "studio");
    await hear(page, 1, 0.26);
    await paper(page)
      .locator(".cm-line")
      .first()
      .click({ position: { x: 520, y: 50 } });
    await expect(page.getByText("Take 3")).toBeVisible();
  },
  script: async (page) => {
    await show(page, "script");
    await expect(page.getByRole("button", { name: "Play all" })).toBeVisible();
  },
  picker: async (page) => {
    await show(page, "studio");
    await page.keyboard.press("Control+j");
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  voices: async (page) => {
    await show(page, "voices");
    await page.getByText("Evening reader").click();
    await expect(page.getByRole("complementary")).toContainText("Evening reader");
  },
  "voice-trim": imagineRecording,
  "voice-listen": async (page) => {
    await imagineRecording(page);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Skip" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Grandad");
  },
  history: async (page) => {
    await show(page, "history");
    await row(page, "Chapter 4").click();
    await expect(page.getByRole("complementary")).toContainText("Receipt");
  },
  transcribe: async (page) => {
    const id = await imagineTranscripts(page);
    await show(page, `transcribe/${id}`);
    const word = page.getByText("rhythm", { exact: true });
    await word.click();
    const bar = page.getByRole("region", { name: "Player" });
    await bar.getByRole("button", { name: "Pause" }).click();
    const wave = bar.locator(".p-wave");
    const box = await wave.boundingBox();
    const part = (Number(await word.getAttribute("data-start")) + 0.2) / 64;
    await wave.click({ position: { x: (box?.width ?? 0) * part, y: (box?.height ?? 0) / 2 } });
    await expect(page.locator("[data-now]")).toHaveText("rhythm");
  },
  "transcribe-speakers": async (page) => {
    const id = await imagineTranscripts(page);
    await show(page, `transcribe/${id}`);
    await page.getByRole("button", { name: "Filter by Jonas Weber" }).click();
    await page.getByRole("button", { name: "More for the paragraph at 0:24" }).click();
    await page.getByRole("menuitem", { name: "This line is" }).press("ArrowRight");
    await expect(page.getByRole("menuitem", { name: "New speaker…" })).toBeVisible();
  },
  "transcribe-list": async (page) => {
    await imagineTranscripts(page);
    await show(page, "transcribe");
    await expect(page.getByText("62%")).toBeVisible();
  },
  models: async (page) => {
    await show(page, "models");
    await expect(page.getByText("43%")).toBeVisible();
  },
  "models-more": (page) => show(page, "models?tab=more"),
  account: async (page) => {
    await imagineAccount(page, true);
    await show(page, "account");
    await expect(page.getByText("Render box")).toBeVisible();
    await expect(page.getByRole("img", { name: /^Credits per day/ })).toBeVisible();
  },
  "account-signed-out": async (page) => {
    await imagineAccount(page, false);
    await show(page, "account");
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  },
  settings: (page) => show(page, "settings"),
  dictionary: async (page) => {
    await show(page, "settings/pronunciation");
    await page.getByLabel("Try it").fill("Dr Lindqvist rowed up the Ouse.");
    await expect(page.getByText("LIND-kwist rowed")).toBeVisible();
  },
  palette: async (page) => {
    await show(page, "studio");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
  },
};
