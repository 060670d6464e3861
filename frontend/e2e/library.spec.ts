import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { ask, fill, longHistory, rareWords, secondsOf } from "./seed";
import { expect, open, waitForPage, test as base } from "./studio";
import { paper, row, write } from "./words";

const count = 10_000;
const rows = longHistory(count, new Date());

const test = base.extend<{ isLong: boolean }>({
  isLong: [false, { option: true }],
  data: async ({ data, isLong }, give) => {
    if (isLong) await fill(data, { now: new Date().toISOString(), generations: rows });
    await give(data);
  },
});

test.describe("a history of 10,000", () => {
  test.use({ isLong: true });
  const lines = (page: Page) => page.locator('[role=row][id^="history-row-"]');
  const frame = (page: Page) => page.locator(':has(> [role="grid"])');
  const found = (page: Page, n: number, words = "found") =>
    expect(page.getByRole("status").filter({ hasText: /^[\d,]+ (found|generations?)$/ })).toHaveText(
      `${n.toLocaleString("en")} ${words}`,
    );
  const all = (page: Page, n: number) => found(page, n, "generations");

  test("has one row with rare words, and marks them", async ({ studio }) => {
    await open(studio, "history");
    await all(studio, count);
    await expect(studio.getByRole("grid")).toHaveAttribute("aria-rowcount", String(count));
    expect(await lines(studio).count()).toBeGreaterThan(10);
    expect(await lines(studio).count()).toBeLessThan(80);
    await studio.keyboard.press("/");
    await studio.keyboard.type("zurichsee FERR"); // neither accents, case nor order matter
    await found(studio, 1);
    await expect(lines(studio)).toHaveCount(1);
    await expect(lines(studio).locator("mark")).toHaveText(["ferry", "Zürichsee"]);
    await expect(lines(studio)).toContainText(rareWords);
    await studio.keyboard.press("Escape");
    await all(studio, count);
  });

  test("is filtered by engine, state and favourites, and the address keeps it", async ({ studio }) => {
    const failed = rows.filter((r) => r.status === "failed");
    await open(studio, "history");
    await studio.getByRole("button", { name: "Filter", exact: true }).click();
    await studio.getByLabel("Status").selectOption({ label: "Failed" });
    await found(studio, failed.length);
    await studio.getByLabel("Engine").selectOption({ label: "Kokoro" });
    const kokoro = failed.filter((r) => r.engine === "kokoro");
    await found(studio, kokoro.length);
    await studio.reload();
    await found(studio, kokoro.length);
    await expect(lines(studio).first()).toContainText(kokoro.at(-1)?.text.slice(0, 30) ?? "");
    await studio.getByRole("button", { name: "Remove filter: Failed" }).click();
    await found(studio, rows.filter((r) => r.engine === "kokoro").length);
    await studio.getByRole("button", { name: "Filter", exact: true }).click();
    await studio.getByLabel("Favourites only").click();
    await found(studio, rows.filter((r) => r.engine === "kokoro" && r.favorite).length);
  });

  test("scrolls to its end and back to the same place, and stays there when a new one arrives", async ({
    studio,
    server,
  }) => {
    test.setTimeout(120_000);
    await open(studio, "history");
    await all(studio, count);
    const scroll = (to: number) =>
      frame(studio).evaluate((element, y) => {
        element.scrollTop = y < 0 ? element.scrollHeight : y;
      }, to);
    const inView = () =>
      frame(studio).evaluate((element) => {
        const top = element.getBoundingClientRect().top + 40; // below the heading of the day
        const all = [...element.querySelectorAll('[id^="history-row-"]')].map((line) => ({
          id: line.id,
          y: line.getBoundingClientRect().top,
        }));
        return all.filter(({ y }) => y >= top).sort((a, b) => a.y - b.y)[0]; // the DOM order is different
      });
    await scroll(5000);
    await expect.poll(inView).toBeDefined();
    await waitForPage(studio);
    const before = await inView();
    await expect(async () => {
      await scroll(-1);
      await expect(row(studio, rows[0]?.text ?? "")).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 100_000 });
    expect(await lines(studio).count()).toBeLessThan(80);
    await scroll(5000);
    await expect.poll(inView).toEqual(before);

    const profiles = await ask<{ items: { id: string }[] }>(server, "/profiles?limit=1");
    await ask(server, "/generate", {
      profile_id: profiles.items[0]?.id,
      text: "One more, while somebody reads below.",
    });
    // The server counts up to this number.
    await expect(studio.getByRole("status").filter({ hasText: "More than 10,000 generations" })).toBeVisible();
    expect(await inView()).toEqual(before);
    await scroll(0);
    await expect(row(studio, "One more, while somebody reads below.")).toBeVisible();
  });

  test("selects many with shift, deletes them, and restores them", async ({ studio, server }) => {
    await open(studio, "history");
    const text = (i: number) => rows.at(-1 - i)?.text ?? "";
    const total = async () => (await ask<{ total: number }>(server, "/history?limit=1")).total;
    await row(studio, text(0)).click();
    for (let i = 0; i < 3; i++) await studio.keyboard.press("Shift+ArrowDown");
    const bar = studio.getByRole("toolbar", { name: "Selection" });
    await expect(bar).toContainText("4 selected");
    await row(studio, text(11)).click({ modifiers: ["Shift"] });
    await expect(bar).toContainText("12 selected");
    await studio.keyboard.press("Delete");
    await expect(row(studio, text(0))).toHaveCount(0);
    await expect(row(studio, text(12))).toBeVisible();
    await all(studio, count - 12);
    await studio.getByRole("button", { name: "Undo" }).click();
    await expect(row(studio, text(0))).toBeVisible();
    await all(studio, count);
    expect(await total()).toBe(count);

    await row(studio, text(0)).click();
    await row(studio, text(11)).click({ modifiers: ["Shift"] });
    await bar.getByRole("button", { name: "Delete" }).click();
    await expect(studio.getByText("12 generations deleted")).toBeVisible();
    expect(await total()).toBe(count); // nothing is sent while it can be undone
    await studio.mouse.move(5, 5); // the bar pauses under the pointer
    await expect.poll(total, { timeout: 15_000 }).toBe(count - 12);
    await studio.reload();
    await all(studio, count - 12);
    await expect(row(studio, text(12))).toBeVisible();
    await expect(row(studio, text(0))).toHaveCount(0);
  });
});

test("generates a script of two by keyboard, regenerates a turn, and saves the file", async ({ studio, server }) => {
  await studio.evaluate(() => {
    location.hash = "#/script";
  });
  const turn = (n: number) => studio.getByRole("textbox", { name: new RegExp(`^Turn ${String(n)}, `) });
  await turn(1).click();
  await studio.keyboard.type("Good evening, and welcome back.");
  await studio.keyboard.press("Enter");
  await expect(turn(2)).toHaveAccessibleName("Turn 2, Guest");
  await studio.keyboard.type("Thank you. It is good to be here.");
  await studio.keyboard.press("Enter");
  await studio.keyboard.type("Where did we stop?");
  await studio.keyboard.press("Tab");
  await expect(turn(3)).toHaveAccessibleName("Turn 3, Guest");
  await studio.keyboard.press("Shift+Tab");
  await expect(turn(3)).toHaveAccessibleName("Turn 3, Host");
  await studio.keyboard.press("Control+Enter");
  const output = studio.getByRole("complementary", { name: "Cast" });
  const save = output.getByRole("button", { name: "Export WAV" });
  await expect(save).toBeEnabled({ timeout: 30_000 });
  // The joined audio plays, and its turn is marked.
  await expect(studio.locator("li[aria-current='true']")).toHaveCount(1);

  interface Script {
    id: string;
    gap_ms: number;
    duration: number;
    turns: { id: string; duration: number; profile_name: string; chunks: { takes: number }[] }[];
  }
  const {
    items: [short],
  } = await ask<{ items: Script[] }>(server, "/scripts?limit=1");
  const script = () => ask<Script>(server, `/scripts/${short?.id ?? ""}`);
  await studio.getByRole("button", { name: "Regenerate turn 2" }).click();
  await expect
    .poll(async () => (await script()).turns.map((t) => t.chunks[0]?.takes), { timeout: 20_000 })
    .toEqual([1, 2, 1]);
  for (const passage of [1, 2]) {
    const takes = studio.getByRole("radiogroup", { name: `Takes of passage ${String(passage)}` });
    await takes.getByRole("button", { name: "Use this take" }).click();
    await expect(takes.getByRole("radio", { name: /Take 2/ })).toBeChecked();
  }
  await studio.getByRole("main").getByRole("button", { name: "Join again" }).click();
  await expect(save).toBeEnabled({ timeout: 20_000 });
  const [download] = await Promise.all([studio.waitForEvent("download"), save.click()]);
  expect(download.suggestedFilename()).toMatch(/\.wav$/);
  const { turns, gap_ms, duration } = await script();
  const sum = turns.reduce((all, t) => all + t.duration, 0) + (gap_ms / 1000) * (turns.length - 1);
  const seconds = secondsOf(await readFile(await download.path()));
  expect(sum).toBeGreaterThan(3);
  expect(Math.abs(seconds - sum)).toBeLessThan(0.05);
  expect(Math.abs(seconds - duration)).toBeLessThan(0.01);

  await output.getByRole("button", { name: "More export options" }).click();
  const [titles] = await Promise.all([
    studio.waitForEvent("download"),
    studio.getByRole("menuitem", { name: "Save as SRT" }).click(),
  ]);
  expect(await readFile(await titles.path(), "utf8")).toMatch(/3\n\d\d:\d\d:\d\d,\d{3} --> [^]*Where did we stop/);

  await open(studio, "history");
  for (const words of ["Good evening, and welcome back.", "Thank you. It is good to be here.", "Where did we stop?"])
    await expect(row(studio, words)).toBeVisible();
  await open(studio, "history?tab=scripts");
  await expect(studio.getByText("3 turns")).toBeVisible();
});

test("switches to German at once, and keeps it after a reload", async ({ studio }) => {
  await open(studio, "settings");
  await studio.getByRole("combobox", { name: "Language" }).selectOption({ label: "Deutsch" });
  const inGerman = async () => {
    await expect(studio.locator("html")).toHaveAttribute("lang", "de");
    await expect(studio.getByRole("heading", { level: 1 })).toHaveText("Einstellungen");
    await expect(studio.getByRole("navigation", { name: "Einstellungsgruppen" })).toContainText("Allgemein");
    for (const name of ["Stimmen", "Verlauf", "Modelle"])
      await expect(studio.getByRole("link", { name, exact: true })).toBeVisible();
    await expect(studio.locator("body")).not.toContainText(/\b(Settings|Theme|Keyboard|General|About|Voices)\b/);
  };
  await inGerman();
  await studio.reload();
  await inGerman();
  await open(studio, "history");
  await expect(studio.getByRole("heading", { name: "Noch keine Aufnahmen" })).toBeVisible();
});

test("keeps typed text during a short visit to another screen", async ({ studio }) => {
  await write(studio, "Typed a moment before leaving.");
  await open(studio, "settings");
  await open(studio, "studio");
  await expect(paper(studio)).toHaveText("Typed a moment before leaving.");
});

test("pronounces a word as the dictionary says", async ({ studio, server }) => {
  await write(studio, "Please call Caoimhe at home.");
  const spoken = async (text: string) => {
    await studio.getByRole("button", { name: "Preview spoken text" }).click();
    await expect(studio.getByRole("dialog").getByRole("paragraph").first()).toHaveText(text);
    await studio.keyboard.press("Escape");
  };
  await spoken("Please call Caoimhe at home.");
  await expect.poll(async () => JSON.stringify(await ask(server, "/drafts"))).toContain("Caoimhe"); // it is saved
  await open(studio, "settings/pronunciation");
  await studio.getByLabel("Word", { exact: true }).fill("Caoimhe");
  await studio.getByLabel("Sounds like").fill("KEE-va");
  await studio.keyboard.press("Enter");
  await expect(studio.getByRole("list", { name: "Words" })).toContainText("KEE-va");
  await open(studio, "studio");
  await spoken("Please call KEE-va at home.");
});

test("says in which line the quotation marks of an imported list are wrong", async ({ studio }) => {
  const choose = (csv: string) =>
    studio
      .getByRole("dialog")
      .locator("input[type=file]")
      .setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await open(studio, "history");
  await studio.getByRole("button", { name: /^List/ }).click();
  await studio.getByRole("menuitem", { name: /^Import list/ }).click();
  await choose('text,na"me\nHello.,a\n');
  await expect(studio.getByText("list.csv: The quotation marks in line 1 of the list are wrong.")).toBeVisible();
  await choose("text,name\rHello.,a\rGoodbye.,b\r"); // as old Macs end lines
  await expect(studio.getByRole("button", { name: "Generate 2 rows" })).toBeVisible();
});
