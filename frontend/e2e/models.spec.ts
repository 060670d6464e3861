import type { Locator, Page } from "@playwright/test";
import { graph, test, type Hub } from "./hub";
import { expect, open } from "./studio";
import { row, sounds, write } from "./words";

const name = "Tone (medium)";
// About ten seconds for the complete voice.
const crawl = { kind: "slow", path: graph.path, piece: 16_000, pause: 5 } as const;
const timeout = { timeout: 60_000 };

/** Finds a voice in the catalogue by a word. */
async function find(page: Page, word: string): Promise<Locator> {
  await open(page, "models");
  await page.getByRole("tab", { name: "Get more" }).click();
  await page.getByRole("searchbox", { name: "Search models" }).fill(word);
  return page
    .getByRole("listitem")
    .filter({ hasText: new RegExp(word, "i") })
    .first();
}

/** Records each number that the bar of a download shows from now on. */
async function sample(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate((label) => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    const look = () => {
      const now = document.querySelector(`[role=progressbar][aria-label="${label}"]`)?.getAttribute("aria-valuenow");
      if (now && Number(now) !== seen.at(-1)) seen.push(Number(now));
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ["aria-valuenow"],
    });
  }, `Downloading ${name}`);
  return () => page.evaluate(() => (window as unknown as { seen: number[] }).seen);
}

const bar = (page: Page) => page.getByRole("progressbar", { name: `Downloading ${name}` });

/** Waits until the bar of the download has reached a percentage. */
async function reaches(page: Page, least: number): Promise<void> {
  await expect
    .poll(async () => Number(await bar(page).getAttribute("aria-valuenow")), timeout)
    .toBeGreaterThanOrEqual(least);
}

const rising = (numbers: readonly number[]) => numbers.every((now, i) => i === 0 || now >= (numbers[i - 1] ?? 0));

/** Returns the offset in the file from which the storage server was asked to send. */
const begins = async (hub: Hub) =>
  (await hub.asked(graph.path))
    .filter((asked) => asked.Storage)
    .map(({ Range }) => Number(/\d+/.exec(Range)?.[0] ?? 0));

test("finds a voice, downloads it over a connection that breaks twice, and speaks with it", async ({ studio, hub }) => {
  await hub.fault({ kind: "cut", path: graph.path, offsets: [6_000_000, 15_000_000] });
  await hub.fault({ ...crawl, pause: 2 });
  const tone = await find(studio, "tone");
  await expect(tone).toContainText("American English · 25 MB");
  expect(await hub.asked(graph.path), "nothing is fetched before it was asked for").toEqual([]);

  const numbers = await sample(studio);
  await studio.getByRole("button", { name: `Download 25 MB: ${name}` }).click();
  await expect(tone).toContainText("Ready", timeout);
  const seen = await numbers();
  expect(seen.length, seen.join(" ")).toBeGreaterThan(5);
  expect(rising(seen), seen.join(" ")).toBe(true);
  expect(await begins(hub), "each time it went on where the line broke").toEqual([0, 6_000_000, 15_000_000]);

  await open(studio, "studio");
  await studio.getByRole("button", { name: "Change", exact: true }).click();
  const picker = studio.getByRole("dialog");
  await picker.getByRole("textbox", { name: "Search by name, language or description" }).fill("tone");
  await picker.getByRole("row").filter({ hasText: "Tone" }).first().dblclick();
  await expect(picker).toBeHidden();
  await write(studio, "Spoken by the voice that was just fetched.");
  await studio.keyboard.press("Control+Enter");
  await sounds(studio);
  await open(studio, "history");
  await expect(row(studio, "Spoken by the voice that was just fetched.")).toContainText("Tone");
});

test("pauses a download, resumes it, and cancels it", async ({ studio, hub }) => {
  await hub.fault(crawl);
  const tone = await find(studio, "tone");
  await studio.getByRole("button", { name: `Download 25 MB: ${name}` }).click();
  await reaches(studio, 10);
  await studio.getByRole("button", { name: `Pause: ${name}` }).click();
  await expect(tone).toContainText(/Paused · \d/);
  const paused = Number(await bar(studio).getAttribute("aria-valuenow"));

  await studio.reload();
  await open(studio, "models");
  await expect(tone, "a window that opens now knows it too").toContainText(/Paused · \d/);
  const numbers = await sample(studio);
  await studio.getByRole("button", { name: `Resume: ${name}` }).click();
  await reaches(studio, paused + 5);
  const starts = await begins(hub);
  expect(starts).toHaveLength(2);
  expect(starts[1], "what was there is not fetched again").toBeGreaterThan(1_000_000);
  const later = await numbers();
  expect(rising([paused, ...later]), later.join(" ")).toBe(true);

  await studio.getByRole("button", { name: `Cancel download: ${name}` }).click();
  await expect(studio.getByText("No models yet")).toBeVisible();
  await studio.getByRole("button", { name: "Undo" }).click();
  await reaches(studio, paused + 5);
  await studio.getByRole("button", { name: `Cancel download: ${name}` }).click();
  await studio.getByRole("status").getByRole("button", { name: "Close" }).click();
  await find(studio, "tone");
  await expect(studio.getByRole("button", { name: `Download 25 MB: ${name}` })).toBeVisible();
});

test("reports why a download failed, and resumes on request", async ({ studio, hub }) => {
  await hub.fault({ kind: "cut", path: graph.path, offsets: [8_000_000] });
  await hub.fault({ ...crawl, times: 1, pause: 1 });
  const tone = await find(studio, "tone");
  await studio.getByRole("button", { name: `Download 25 MB: ${name}` }).click();
  await reaches(studio, 5);
  await hub.fault({ kind: "status", path: graph.path, hub: true, status: 404 });
  await expect(tone.getByRole("alert")).toContainText("no longer has these files", timeout);
  await expect(tone.getByRole("alert")).toContainText(/8(\.\d)? of 25 MB is saved/);
  await hub.heal();
  await studio.getByRole("button", { name: `Try again: ${name}` }).click();
  await expect(tone).toContainText("Ready", timeout);
  expect((await begins(hub)).at(-1)).toBe(8_000_000);
});

test("refuses a voice that is larger than the disk before its first byte", async ({ studio, hub }) => {
  const giant = await find(studio, "giant");
  await expect(giant).toContainText("3 TB");
  await studio.getByRole("button", { name: "Download 3 TB: Giant (high)" }).click();
  const alert = giant.getByRole("alert");
  await expect(alert).toContainText(/There isn’t enough disk space: needs 3 TB, [\d.,]+ [MGT]B free\./, timeout);
  await expect(alert).toContainText("Delete a model that you don’t use, or move the models folder.");
  await expect(studio.getByRole("button", { name: "Free space" })).toBeVisible();
  const asked = (await hub.asked("")).filter(({ Path }) => Path.includes("giant"));
  expect(asked.filter(({ Bytes }) => Bytes > 0)).toEqual([]);
});
