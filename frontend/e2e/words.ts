import { expect, type Page } from "@playwright/test";

/** Returns the text field of the page. */
export const paper = (page: Page) => page.locator(".cm-content");

/** Replaces the text, as a paste does. */
export async function write(page: Page, text: string): Promise<void> {
  await paper(page).click();
  await page.keyboard.press("Control+A");
  await paper(page).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Returns a text that takes the built-in voice some seconds. */
export function long(characters: number): string {
  let text = "";
  for (let i = 1; text.length < characters; i++)
    text += `Sentence number ${String(i)} of a long text, read aloud by a patient voice. `;
  return text.slice(0, characters);
}

/** Waits until the player has the audio. */
export async function sounds(page: Page, timeout = 60_000): Promise<void> {
  await expect(page.getByRole("region", { name: "Player" })).toBeVisible({ timeout });
}

/** Returns the row of a generation in the history. */
export const row = (page: Page, words: string) => page.getByRole("row").filter({ hasText: words });
