import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { ask } from "./seed";
import { expect, test, type Server } from "./studio";
import { paper, write } from "./words";

const player = (page: Page) => page.getByRole("region", { name: "Player" });

/** Generates a text in the open draft and waits until its audio is in the player. */
async function generate(page: Page, text: string): Promise<void> {
  await write(page, text);
  await page.getByRole("button", { name: /^(Speak|Generate)$/ }).click();
  await expect(player(page)).toContainText(text);
  await expect(player(page).getByRole("button", { name: /^Export / })).toBeVisible({ timeout: 60_000 });
  await expect(player(page).getByRole("button", { name: "Play", exact: true })).toBeVisible({ timeout: 60_000 });
}

async function openDraft(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: /^Drafts/ }).click();
  await page.getByRole("button", { name }).first().click();
}

/** Exports what is in the player, and reports whether it is the audio of this text. */
async function exports(page: Page, server: Server, text: string): Promise<void> {
  await expect(player(page)).toContainText(text);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    player(page)
      .getByRole("button", { name: /^Export / })
      .click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${text.replace(/\.$/, "")}.wav`);
  const { items } = await ask<{ items: { id: string; text: string }[] }>(server, "/history");
  const id = items.find((item) => item.text === text)?.id ?? "";
  const answer = await fetch(`${server.url}/history/${id}/export?format=wav`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  expect(answer.ok).toBe(true);
  expect((await readFile(await file.path())).equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
}

test.beforeEach(async ({ studio }) => {
  await studio.evaluate(() => localStorage.setItem("voicewright.prefs", JSON.stringify({ autoplay: false })));
  await studio.reload();
});

test("two drafts are changed back and forth, and each exports its own audio", async ({ studio, server }) => {
  const [ferry, lamp] = ["The ferry is late.", "A lamp was lit by hand."] as const;
  await generate(studio, ferry);
  await exports(studio, server, ferry);
  await openDraft(studio, "New text");
  await expect(paper(studio)).not.toContainText(ferry);
  await expect(player(studio)).toHaveCount(0);
  await generate(studio, lamp);
  await exports(studio, server, lamp);
  for (const text of [ferry, lamp, ferry]) {
    await openDraft(studio, new RegExp(`^${text.slice(0, 8)}`));
    await expect(paper(studio)).toContainText(text);
    await exports(studio, server, text);
  }
  await player(studio).getByRole("button", { name: "More export options" }).click();
  await expect(studio.getByRole("menu")).toContainText(ferry.slice(0, -1));
  await studio.getByRole("menuitem", { name: /^Export options/ }).click();
  await expect(studio.getByRole("dialog")).toContainText(ferry.slice(0, -1));
});

test("in a small window the player is one row, whose other controls unfold by the keyboard", async ({ studio }) => {
  await generate(studio, "The ferry is late.");
  await studio.setViewportSize({ width: 400, height: 300 });
  const close = player(studio).getByRole("button", { name: "Close the player" });
  await expect(close).toBeHidden();
  expect((await player(studio).boundingBox())?.height).toBeLessThan(72);
  await expect(player(studio)).toContainText("The ferry");
  const fold = player(studio).getByRole("button", { name: "Player controls" });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await fold.press("Enter");
  await expect(fold).toHaveAttribute("aria-expanded", "true");
  await expect(close).toBeVisible();
  await fold.press("Enter");
  await expect(close).toBeHidden();
});
