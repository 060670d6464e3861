import type { Page } from "@playwright/test";
import { expectInside, openFloats, showHints } from "./floats";
import { faultsOfLayout } from "./layout";
import { imagineAccount } from "./accounts";
import { imagine, sceneServer, show } from "./scene";
import { expect, waitForPage, test, watch } from "./studio";

// No look changes the library, so that all workers may take them: each has a program for its share.
test.describe.configure({ mode: "parallel" });

const scene = sceneServer();

const groups = [
  "general",
  "keyboard",
  "speech",
  "dictation",
  "pronunciation",
  "storage",
  "devices",
  "network",
  "api",
  "about",
  "diagnostics",
];
const places = [
  "studio",
  "books",
  "script",
  "voices",
  "history",
  "history?tab=scripts",
  "models",
  "models?tab=more",
  "account",
  ...groups.map((group) => `settings/${group}`),
];

/** The overlays of a screen, by the keys that open them. */
const overlays: Record<string, { on: string; under?: number; press(page: Page): Promise<void> }> = {
  "voice picker": { on: "studio", press: (page) => page.keyboard.press("Control+j") },
  palette: { on: "voices", press: (page) => page.keyboard.press("Control+k") },
  shortcuts: { on: "studio", press: (page) => page.keyboard.press("?") },
  inspector: { on: "studio", under: 1100, press: (page) => page.locator(".f-top button[aria-pressed]").click() },
  "new voice": { on: "voices", press: (page) => page.keyboard.press("n") },
};

const sizes = [
  { width: 1280, height: 800 },
  { width: 800, height: 600 },
  { width: 640, height: 400 },
];
const languages = ["en-XA", "en-XB", "de"]; // long words, right to left, and a real one with long words

for (const language of languages) {
  for (const viewport of sizes) {
    test(`${language} fits at ${String(viewport.width)}x${String(viewport.height)}`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.addInitScript((chosen) => {
        localStorage.setItem("voicewright.prefs", JSON.stringify({ language: chosen }));
      }, language);
      await imagine(page);
      await imagineAccount(page, true);
      const thrown = watch(page, scene());
      await page.goto(`${scene().url}/#token=${scene().token}`);
      const faults = new Map<string, string[]>(); // with the places where each was found
      const look = async (place: string) => {
        const first = await page.evaluate(faultsOfLayout);
        if (first.length === 0) return;
        await page.waitForTimeout(300); // lets animations end, so that only lasting faults count
        const still = await page.evaluate(faultsOfLayout);
        for (const fault of first.filter((one) => still.includes(one)))
          faults.set(fault, [...(faults.get(fault) ?? []), place]);
      };
      await show(page, "studio");
      await page.locator(".st-mark").first().click(); // so that the player is shown
      await page.locator(".p-play").click();
      for (const place of places) {
        await show(page, place);
        await look(place);
      }
      for (const [name, { on, press, under = Infinity }] of Object.entries(overlays)) {
        if (viewport.width >= under) continue; // it is beside the page
        await show(page, on);
        await page.evaluate(() => {
          (document.activeElement as HTMLElement | null)?.blur();
        });
        await press(page);
        await expect(page.getByRole("dialog")).toBeVisible();
        await waitForPage(page);
        await look(name);
        await page.reload();
      }
      expect([...faults].map(([fault, seen]) => `${seen.join(", ")}: ${fault}`)).toEqual([]);
      expect(thrown).toEqual([]);

      const rail = await page.locator(".f-rail").boundingBox();
      await expect(page.locator("html")).toHaveAttribute("dir", language === "en-XB" ? "rtl" : "ltr");
      if (viewport.width < 900) expect(rail?.y).toBeGreaterThan(viewport.height / 2);
      else if (language === "en-XB") expect(rail?.x).toBeGreaterThan(viewport.width - 80);
      else expect(rail?.x).toBe(0);
    });
  }
}

/** A window of 800x600 at 200 %, and the smallest size of WCAG 1.4.10. */
for (const viewport of [
  { width: 400, height: 300 },
  { width: 320, height: 256 },
]) {
  test(`everything that opens lies within ${String(viewport.width)}x${String(viewport.height)}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await imagine(page);
    await imagineAccount(page, true);
    const thrown = watch(page, scene());
    await page.goto(`${scene().url}/#token=${scene().token}`);
    let [opened, hints] = [0, 0];
    for (const place of [
      "transcribe",
      ...places.filter((one) => one === "settings/keyboard" || !one.startsWith("settings")),
    ]) {
      await show(page, place);
      opened += await openFloats(page, place);
      hints += await showHints(page, place);
    }
    for (const [name, { on, press }] of Object.entries(overlays)) {
      await show(page, on);
      await page.evaluate(() => {
        (document.activeElement as HTMLElement | null)?.blur();
      });
      await press(page);
      await expect(page.getByRole("dialog")).toBeVisible();
      await waitForPage(page);
      await expectInside(page, name);
      await page.reload();
    }
    expect(opened).toBeGreaterThan(20);
    expect(hints).toBeGreaterThan(20);
    expect(thrown).toEqual([]);
  });
}
