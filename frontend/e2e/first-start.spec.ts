import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { test as base } from "./hub";
import { faultsOfLayout } from "./layout";
import { expect, open } from "./studio";
import { sounds, write } from "./words";

/** A program whose PATH is a folder without any programs, and a model hub. */
const test = base.extend<{ tools: string }>({
  // eslint-disable-next-line no-empty-pattern
  tools: async ({}, give) => {
    const tools = await mkdtemp(join(tmpdir(), "voicewright-tools-"));
    await give(tools);
    await rm(tools, { recursive: true, force: true });
  },
  options: async ({ hub, tools }, give) => give({ hub: hub.url, env: { PATH: tools } }),
});

/** Installs a program of this machine. */
async function install(tools: string, name: string): Promise<void> {
  const path = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
  await symlink(path, join(tools, name));
}

/** Keeps the addresses that the page opens in the browser. */
const keepOpened = (page: Page) =>
  page.evaluate(() => {
    const opened: string[] = [];
    Object.assign(window, { opened, open: (url: string) => (opened.push(url), null) });
  });
const opened = (page: Page) => page.evaluate(() => (window as unknown as { opened: string[] }).opened);

const card = (page: Page) => page.getByRole("region", { name: "Your first voice" });

test("without espeak-ng the page says what to click, and finds it without a restart", async ({
  studio,
  hub,
  tools,
}) => {
  await expect(card(studio)).toContainText("Voices need a small free program, eSpeak NG.");
  await expect(card(studio)).toContainText("Kokoro");
  await expect(card(studio).getByRole("button", { name: /^Download \d/ })).toBeVisible();
  await accessible(studio, "the card");
  await keepOpened(studio);
  await card(studio).getByRole("button", { name: "Open the download page of eSpeak NG" }).click();
  expect(await opened(studio)).toEqual([expect.stringMatching(/^https:\/\/github\.com\/espeak-ng\/espeak-ng\//)]);
  await card(studio).getByRole("button", { name: "Check again for eSpeak NG" }).click();
  await expect(card(studio)).toContainText("eSpeak NG wasn’t found yet.");

  await write(studio, "A sentence that waits for its voice.");
  await studio.keyboard.press("Control+Enter");
  const alert = studio.getByRole("alert").filter({ hasText: "needs a small free program, eSpeak NG" });
  await expect(alert.getByRole("link", { name: "Install eSpeak NG" })).toBeVisible();
  await alert.getByRole("button", { name: "Close" }).click();
  expect(await hub.asked(""), "nothing is fetched unasked").toEqual([]);

  await install(tools, "espeak-ng");
  await card(studio).getByRole("button", { name: "Check again for eSpeak NG" }).click();
  await card(studio).getByRole("button", { name: "Read my text" }).click();
  await sounds(studio);
  await expect(card(studio).getByText("is ready")).toHaveCount(0);
});

test("settings and picker say the same, also of ffmpeg and PDF files", async ({ studio, tools }) => {
  await open(studio, "settings/devices");
  const row = studio.getByRole("group", { name: "Helper programs" });
  for (const [name, program, need] of [
    ["espeak-ng", "eSpeak NG", "Voices need a small free program, eSpeak NG."],
    ["ffmpeg", "FFmpeg", "Formats other than WAV need a free program, FFmpeg."],
    ["pdftotext", "Poppler", "Reading PDF files needs a free program, Poppler."],
  ] as const) {
    const help = row.getByRole("group", { name: program, exact: true });
    await expect(help).toContainText(need);
    await expect(help.getByRole("button", { name: /^Copy line: / }).first()).toBeVisible();
    if (name === "espeak-ng") {
      await accessible(studio, "the programs");
      await open(studio, "studio");
      await studio.getByRole("button", { name: "Change", exact: true }).click();
      await expect(studio.getByRole("dialog").getByRole("group", { name: program })).toContainText(need);
      await studio.keyboard.press("Escape");
      await open(studio, "settings/devices");
    }
    await install(tools, name);
    await help.getByRole("button", { name: `Check again for ${program}` }).focus();
    await studio.keyboard.press("Enter");
    await expect(help).toHaveCount(0);
    await expect(studio.getByText(`${program} was found.`)).toBeVisible();
  }
});

test.describe("in a small dark window in German", () => {
  test.use({ locale: "de-DE", colorScheme: "dark", viewport: { width: 320, height: 256 } });

  test("the first voice is reached and read", async ({ studio }) => {
    const small = studio.getByRole("region", { name: "Deine erste Stimme" });
    await expect(small).toContainText("Stimmen brauchen ein kleines kostenloses Programm, eSpeak NG.");
    const check = small.getByRole("button", { name: "Erneut nach eSpeak NG suchen" });
    await check.scrollIntoViewIfNeeded();
    await check.click();
    await expect(small).toContainText("eSpeak NG wurde noch nicht gefunden.");
    await accessible(studio, "the card at 400 %");
    expect(await studio.evaluate(faultsOfLayout)).toEqual([]);
  });
});
