import { expect, type Page } from "@playwright/test";

/** The page on which one writes. */
export const paper = (page: Page) => page.locator(".cm-content");

/** Puts a text in the place of the present one, as a paste does. */
export async function write(page: Page, text: string): Promise<void> {
  await paper(page).click();
  await page.keyboard.press("Control+A");
  await paper(page).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** A text that takes the built-in voice some seconds. */
export function long(characters: number): string {
  let text = "";
  for (let i = 1; text.length < characters; i++)
    text += `Sentence number ${String(i)} of a long text, read aloud by a patient voice. `;
  return text.slice(0, characters);
}

/** Waits for the sound: the player has it. */
export async function sounds(page: Page, timeout = 60_000): Promise<void> {
  await expect(page.getByRole("region", { name: "Player" })).toBeVisible({ timeout });
}

/** The line of a generation in the history. */
export const row = (page: Page, words: string) => page.getByRole("row").filter({ hasText: words });
