import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { dropFiles } from "./drop";
import { importDiarizer, importTranscriber, tonesFile } from "./importedModels";
import { faultsOfLayout } from "./layout";
import { expect, open, test as base, waitForPage } from "./studio";

/** A transcript of the recording of four tones, whose speakers are found. */
const test = base.extend<{ view: Page }>({
  view: async ({ studio, server }, give) => {
    await importTranscriber(server);
    await importDiarizer(server);
    await open(studio, "transcribe");
    await dropFiles(studio, [{ name: "Talk.wav", type: "audio/wav", bytes: await readFile(tonesFile) }]);
    await expect(bar(studio).getByRole("listitem")).toHaveCount(4, { timeout: 120_000 });
    await give(studio);
  },
});

test.slow(); // each test starts a server and imports two models

const bar = (page: Page) => page.getByRole("region", { name: "Speakers", exact: true });
const text = (page: Page) => page.getByRole("list", { name: "Text" });
const item = (page: Page, name: string) =>
  bar(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: `Rename ${name}`, exact: true }) });
const line = (page: Page, time: string) => text(page).getByRole("listitem").filter({ hasText: time });

async function rename(page: Page, from: string, to: string): Promise<void> {
  await bar(page)
    .getByRole("button", { name: `Rename ${from}`, exact: true })
    .click();
  await bar(page)
    .getByRole("textbox", { name: `Rename ${from}` })
    .fill(to);
  await page.keyboard.press("Enter");
}

async function openMenu(page: Page, time: string): Promise<void> {
  await line(page, time).hover();
  await page.getByRole("button", { name: `More for the paragraph at ${time}` }).click();
}

test("a speaker is named once for all lines, undone, and named again; an existing name asks and merges", async ({
  view,
}) => {
  await expect(item(view, "Speaker 2")).toContainText("3 lines");
  await rename(view, "Speaker 2", "Anna");
  await expect(text(view).getByRole("button", { name: "Anna" })).toHaveCount(3);
  await expect(item(view, "Anna").getByRole("button", { name: "Filter by Anna" })).toHaveText("2");
  await view.keyboard.press("Control+z");
  await expect(text(view).getByRole("button", { name: "Speaker 2" })).toHaveCount(3);
  await view.keyboard.press("Control+Shift+z");
  await expect(text(view).getByRole("button", { name: "Anna" })).toHaveCount(3);
  await rename(view, "Speaker 1", "Anna");
  await view.getByRole("dialog", { name: "Merge Speaker 1 with Anna?" }).getByRole("button", { name: "Merge" }).click();
  await expect(bar(view).getByRole("listitem")).toHaveCount(3);
  await expect(item(view, "Anna")).toContainText("4 lines");
  await view.reload();
  await waitForPage(view);
  await expect(item(view, "Anna")).toContainText("4 lines");
});

test("the speaker of a line is set by a digit, with the menu, and for the part after a word", async ({ view }) => {
  await view.getByRole("button", { name: "Play from 0:30" }).focus();
  await view.keyboard.press("1");
  await expect(item(view, "Speaker 1")).toContainText("2 lines");
  await view.keyboard.press("Control+z");
  await expect(item(view, "Speaker 1")).toContainText("1 line");

  await openMenu(view, "0:07");
  await view.getByRole("menuitem", { name: "This line is" }).press("ArrowRight");
  await view.getByRole("menuitemcheckbox", { name: "Speaker 4" }).click();
  await expect(line(view, "0:07").getByRole("button", { name: "Speaker 4" })).toBeVisible();

  await openMenu(view, "0:32");
  await view.getByRole("menuitem", { name: "Split here…" }).click();
  const dialog = view.getByRole("dialog", { name: "Split the line" });
  await dialog.getByRole("radio", { name: "country" }).first().check({ force: true });
  await view.keyboard.press("ArrowRight");
  await dialog.getByLabel("Who speaks from there on?").selectOption("New speaker…");
  await dialog.getByLabel("Name", { exact: true }).fill("Dora");
  await view.keyboard.press("Enter");
  await expect(text(view).getByRole("button", { name: "Dora" })).toHaveCount(1);
  await expect(item(view, "Dora")).toContainText("1 line");

  await bar(view).getByRole("button", { name: "Reassign the rest" }).click();
  await expect(bar(view).getByRole("button", { name: "Reassign the rest" })).toBeEnabled({ timeout: 120_000 });
  await expect(view.getByRole("alert")).toHaveCount(0);
  await expect(item(view, "Dora")).toBeVisible(); // what a person set stays
});

test("a filter shows the lines of some speakers, and the focus stays in the list", async ({ view }) => {
  await bar(view).getByRole("button", { name: "Filter by Speaker 2" }).click();
  await expect(text(view).getByRole("listitem")).toHaveCount(3);
  await bar(view).getByRole("button", { name: "Filter by Speaker 4" }).press("Enter");
  await expect(bar(view).getByRole("status")).toHaveText("4 of 6 lines");
  await view.getByRole("button", { name: "Play from 0:30" }).focus();
  await view.keyboard.press("1"); // which is filtered out
  await expect(bar(view).getByRole("status")).toHaveText("3 of 6 lines");
  await expect(view.getByRole("button", { name: "Play from 0:32" })).toBeFocused();
  await bar(view).getByRole("button", { name: "Show all lines" }).click();
  await expect(text(view).getByRole("listitem")).toHaveCount(6);
});

test("the lane under the waveform shows who speaks when, names speakers and seeks", async ({ view }) => {
  const player = view.getByRole("region", { name: "Player" });
  const lane = player.getByRole("img", { name: /^Who speaks when\. Speaker 1: 0:03/ });
  await expect(lane).toBeVisible(); // before anything has played
  await expect(lane.locator("path")).toHaveCount(4);
  const box = await lane.boundingBox();
  if (!box) throw new Error("the lane is not drawn");
  const at = (seconds: number) => ({ position: { x: (box.width * seconds) / 60, y: 5 }, force: true });
  await lane.hover(at(26)); // two at once
  await expect(player.getByText("Speaker 2 and Speaker 3")).toBeVisible();
  await lane.click(at(36));
  await expect(player.getByRole("slider", { name: "Position" })).toHaveAttribute("aria-valuenow", /^3[567]$/);
});

for (const theme of ["dark", "light"] as const) {
  test(`speakers in ${theme} are accessible, also in a narrow window, enlarged and in German`, async ({ view }) => {
    await view.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await bar(view).getByRole("button", { name: "Filter by Speaker 2" }).click();
    await accessible(view, `filtered, ${theme}`);
    await bar(view).getByRole("button", { name: "Show all lines" }).click();
    await openMenu(view, "0:00");
    await accessible(view, `menu, ${theme}`);
    await view.getByRole("menuitem", { name: "Split here…" }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    await accessible(view, `split, ${theme}`, "[role=dialog]");
    await view.keyboard.press("Escape");
    await bar(view).getByRole("button", { name: "Rename Speaker 3" }).click();
    await accessible(view, `name, ${theme}`);
    await view.keyboard.press("Escape");
    await view.evaluate(() => localStorage.setItem("voicewright.prefs", JSON.stringify({ language: "de" })));
    for (const [width, height] of [
      [640, 400], // 1280 by 800 at 200 %
      [400, 640],
    ] as const) {
      await view.setViewportSize({ width, height });
      await view.reload();
      await waitForPage(view);
      await expect(view.getByRole("region", { name: "Sprecher", exact: true })).toBeVisible();
      expect.soft(await view.evaluate(faultsOfLayout), `${String(width)} px, German`).toEqual([]);
      await accessible(view, `${String(width)} px, German, ${theme}`);
    }
  });
}
