import type { Locator, Page } from "@playwright/test";
import { accessible } from "./axe";
import { expectInside } from "./floats";
import { imagine, sceneServer, show } from "./scene";
import { expect, test, watch } from "./studio";
import { imagineTranscripts } from "./transcripts";
import { paper, row } from "./words";

const scene = sceneServer();

async function openScene(page: Page): Promise<void> {
  await imagine(page);
  watch(page, scene());
  await page.goto(`${scene().url}/#token=${scene().token}`);
  await show(page, "studio");
}

test("the title, the heading and the focus follow the screen", async ({ page }) => {
  await openScene(page);
  await expect(page).toHaveTitle("The keeper's last winter - Studio - Voicewright");
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  await page.getByRole("link", { name: "History" }).click();
  await expect(heading("History")).toBeFocused();
  await expect(page).toHaveTitle("History - Voicewright");
  expect(await heading("History").evaluate((h) => h.matches(":focus-visible"))).toBe(false);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(heading("Models")).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("go to voices");
  await page.keyboard.press("Enter");
  await expect(heading("Voices")).toBeFocused();
  await show(page, "settings/keyboard");
  await expect(page).toHaveTitle("Keyboard - Settings - Voicewright");
});

/** What opens a dialog: a button, or an item of the menu of a button. */
const openers: readonly (readonly [screen: string, button: string | RegExp, item?: string | RegExp])[] = [
  ["history", "Search or run a command"],
  ["history", /^List/, /^Import list/],
  ["voices", "New voice"],
  ["voices", "More", /recording/],
  ["studio", "Change"],
  ["studio", "More export options", /^Export options/],
  ["script", "More for Nora", /voice/],
  ["models", "Import from disk"],
  ["models", "Move"],
  ["models", "More for Kokoro", "Show licence"],
  ["models", "More for Kokoro", "Delete"],
];

test("a dialog returns the focus to the button that opened it", async ({ page }) => {
  test.slow();
  await openScene(page);
  const dialog = page.locator(".k-dialog");
  for (const [screen, button, item] of openers) {
    await show(page, screen);
    const opener = page.getByRole("button", { name: button, exact: true }).first();
    for (const way of ["Escape", "Close"]) {
      const what = `${screen}: ${String(button)} ${String(item ?? "")}, ${way}`;
      await opener.focus();
      await page.keyboard.press("Enter");
      if (item) {
        await page.getByRole("menuitem", { name: item }).focus();
        await page.keyboard.press("Enter");
      }
      await expect(dialog, what).toBeVisible();
      const close = dialog.getByRole("button", { name: "Close" }).first();
      if (way === "Close" && (await close.count()) > 0) await close.press("Enter");
      else await page.keyboard.press("Escape");
      await expect(dialog, what).toHaveCount(0);
      await expect.soft(opener, what).toBeFocused();
    }
  }
});

test("so does a dialog that a row, a popover or a key opened", async ({ page }) => {
  await openScene(page);
  const dialog = page.locator(".k-dialog");
  const closes = async (focus: Locator) => {
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(focus).toBeFocused();
  };
  await show(page, "history");
  await page.getByRole("grid").focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Export", exact: true }).press("ArrowRight");
  await page.getByRole("menuitem", { name: /^Export options/ }).press("Enter");
  await closes(page.getByRole("grid"));
  await page.keyboard.press("?");
  await closes(page.getByRole("grid"));
  await show(page, "studio");
  const drafts = page.getByRole("button", { name: /^Drafts/ });
  await drafts.press("Enter");
  await page.getByRole("button", { name: "Rename Notes for the tour" }).press("Enter");
  await closes(drafts);
  await paper(page).click();
  await page.keyboard.press("Control+ArrowLeft");
  await page.keyboard.press("Control+e");
  await closes(paper(page));
  const id = await imagineTranscripts(page);
  await show(page, `transcribe/${id}`);
  const more = page.getByRole("button", { name: "More for the paragraph at" }).first();
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "This line is" }).press("ArrowRight");
  await page.getByRole("menuitem", { name: "New speaker…" }).press("Enter");
  await closes(more);
});

test("Tab shows where it is in the history", async ({ page }) => {
  await openScene(page);
  await show(page, "history");
  await page.getByRole("combobox", { name: "Sort" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("grid")).toBeFocused();
  await expect(page.locator("[role=row][data-active]")).toHaveCSS("outline-style", "solid");
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Tab");
  await page.locator("[role=grid]").evaluate((grid) => grid.parentElement?.scrollTo(0, 0));
  await page.keyboard.press("Tab");
  await expect(page.locator("[role=row][data-active]")).toBeInViewport();
});

test("a menu in a low window can be scrolled by keys", async ({ page }) => {
  await openScene(page);
  await page.setViewportSize({ width: 400, height: 300 });
  await show(page, "history");
  await row(page, "Chapter 4").click({ button: "right" });
  await expect(page.getByRole("menu")).toBeVisible();
  await accessible(page, "menu of a row", "[role=menu]");
});

test("Escape closes a popover at the first press while a hint is shown", async ({ page }) => {
  await openScene(page);
  await page.getByRole("button", { name: /^Drafts/ }).press("Enter");
  await expect(page.locator(".k-float")).toBeVisible();
  while ((await page.locator(".k-tip").count()) === 0) await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await expect(page.locator(".k-float, .k-tip")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Drafts/ })).toBeFocused();
});

test("texts have the language of their content", async ({ page }) => {
  await openScene(page);
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  const language = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.closest("[lang]")?.getAttribute("lang"));
  expect(await language(".cm-content")).toBe("en-US");
  await show(page, "history");
  await expect(row(page, "Chapter 4")).toBeVisible();
  expect(await page.locator("[id^=history-row-] [lang]").count()).toBeGreaterThan(3);
  await show(page, "script");
  expect(await language("textarea")).toMatch(/^en/);
  const id = await imagineTranscripts(page);
  await show(page, `transcribe/${id}`);
  expect(await language(".tr-text")).toMatch(/^en/);
});

test("shortcuts can be changed, and those of one character switched off", async ({ page }) => {
  await openScene(page);
  await show(page, "settings/keyboard");
  const studio = page.getByRole("group", { name: "Studio" });
  await studio.getByRole("button", { name: /^Change Insert a pause/ }).click();
  await page.keyboard.press("Control+e");
  await expect(studio.getByRole("alert")).toContainText("Change pronunciation");
  await studio.getByRole("button", { name: /^Change Insert a pause/ }).click();
  await page.keyboard.press("Control+Shift+Y");
  await page.getByRole("switch", { name: "Single-letter shortcuts" }).click();
  await page.reload();
  await show(page, "studio");
  await page.keyboard.press("v");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await paper(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+Shift+Y");
  await expect(paper(page).locator(".st-chip").last()).toContainText("0.5");
});

test("the menu key opens the menu of a row, with what its buttons do", async ({ page }) => {
  await openScene(page);
  for (const [screen, focus, words] of [
    ["history", () => row(page, "Chapter 4").click(), ["Play", "favourite", "Delete"]],
    ["voices", () => page.getByRole("row").filter({ hasText: "Evening reader" }).click(), ["Listen", "Favourite"]],
    ["models", () => page.getByRole("button", { name: "Kokoro", exact: false }).first().focus(), ["Details"]],
  ] as const) {
    await show(page, screen);
    await focus();
    await page.keyboard.press("Shift+F10");
    for (const name of words) await expect(page.getByRole("menu")).toContainText(name);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
  }
});

/** The page in a window whose web view cannot zoom by itself, as WebView2 under Wails. */
test("zoom by CSS fits the window, and is remembered", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 600 });
  await page.addInitScript(
    ({ url, token }) => {
      Object.assign(window, { go: { desktop: { Bridge: { Address: () => Promise.resolve({ url, token }) } } } });
    },
    { url: scene().url, token: scene().token },
  );
  await openScene(page);
  for (let i = 0; i < 5; i++) await page.keyboard.press("Control+=");
  await page.reload();
  await show(page, "history");
  expect(await page.evaluate(() => document.documentElement.style.zoom)).toBe("2");
  const rail = await page.locator(".f-rail").boundingBox();
  expect(Math.round((rail?.y ?? 0) + (rail?.height ?? 0))).toBe(600);
  expect(Math.round(rail?.width ?? 0)).toBe(1000); // at the bottom, as in a window of 500 pixels
  const chip = page.getByRole("button", { name: "Filter", exact: true });
  await chip.click();
  await expectInside(page, "filters at 200 %");
  const [button, box] = [await chip.boundingBox(), await page.locator(".k-float").boundingBox()];
  expect(Math.abs((box?.x ?? 0) - (button?.x ?? 0))).toBeLessThan(400);
  await page.keyboard.press("Escape");
  await show(page, "settings");
  await expect(page.getByRole("combobox", { name: "Settings groups" })).toBeVisible();
  await page.keyboard.press("Control+0");
  await expect(page.getByRole("navigation", { name: "Settings groups" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.style.zoom)).toBe("1");
});

test.describe("forced colours", () => {
  for (const colorScheme of ["dark", "light"] as const) {
    test(`show what is chosen, running and playing (${colorScheme})`, async ({ page }) => {
      await page.emulateMedia({ forcedColors: "active", colorScheme, reducedMotion: "reduce" });
      await openScene(page);
      const paint = (selector: string, property = "background-color", part?: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element, [name, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(name), [
            property,
            part,
          ] as const);
      const canvas = await paint("body", "background-color");
      await page.locator(".st-mark").first().click();
      await page.locator(".p-play").click();
      expect(await paint(".p-line", "background-color")).not.toBe(canvas);
      expect(await paint(".p-played > .p-bars", "stroke")).not.toBe(await paint(".p-wave > .p-bars", "stroke"));
      expect(await paint(".f-rail [aria-current]", "background-color", "::before")).not.toBe(canvas);
      await page.screenshot({ path: test.info().outputPath(`studio-${colorScheme}.png`) });
      await show(page, "settings/keyboard");
      const on = page.locator(".k-switch[data-state=checked]").first();
      await expect(on).toBeVisible();
      expect(await paint(".k-switch[data-state=checked] > span", "background-color")).not.toBe(
        await paint(".k-switch[data-state=checked]", "background-color"),
      );
      await page.screenshot({ path: test.info().outputPath(`settings-${colorScheme}.png`) });
      await show(page, "models");
      await expect(page.getByText("43%")).toBeVisible();
      expect(await paint(".k-bar > i", "background-color")).not.toBe(await paint(".k-bar", "background-color"));
      await page.screenshot({ path: test.info().outputPath(`models-${colorScheme}.png`) });
      for (const place of ["script", "history", "voices", "transcribe", "books"]) {
        await show(page, place);
        if (place === "history") await row(page, "Chapter 4").click();
        await page.screenshot({ path: test.info().outputPath(`${place}-${colorScheme}.png`) });
      }
    });
  }
});
