import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { expect, open, screens, waitForPage, test } from "./studio";
import { paper, row, sounds, write } from "./words";

test.slow(); // checks many screens

/** A library with something of everything: audio, a selected row, an imported model. */
test.beforeEach(async ({ studio, server, request }) => {
  const answer = await request.post(`${server.url}/models/import`, {
    headers: { Authorization: `Bearer ${server.token}` },
    data: { path: resolve("../app/testdata/en_US-tone-medium"), name: "tone" },
    timeout: 60_000,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  await write(studio, "A quiet room. A page of text, and a voice to read it.");
  await studio.keyboard.press("Control+Enter");
  await sounds(studio);
});

async function look(page: Page, where: string, part?: string): Promise<void> {
  await waitForPage(page);
  await accessible(page, where, part);
}

/** Opens a dialog, checks it, and closes it by the keyboard. */
async function dialog(page: Page, where: string, openIt: () => Promise<unknown>): Promise<void> {
  await openIt();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look(page, where);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

/** Opens a menu, checks it, and leaves it open. */
async function menu(page: Page, where: string, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name }).first().click();
  await expect(page.getByRole("menu")).toBeVisible();
  await look(page, where, "[role=menu]");
}

test.describe.configure({ mode: "parallel" });

for (const theme of ["dark", "light"] as const) {
  test(`every screen in ${theme} is accessible`, async ({ studio }) => {
    await studio.emulateMedia({ colorScheme: theme });
    for (const screen of screens) {
      await open(studio, screen);
      await accessible(studio, `${screen}, ${theme}`);
    }
    await open(studio, "history");
    await row(studio, "A quiet room").click();
    await expect(studio.getByRole("button", { name: "Regenerate" })).toBeVisible();
    await look(studio, `history with details, ${theme}`);
    await menu(studio, `menu of a line of the history, ${theme}`, "More");
    await studio.keyboard.press("Escape");
    await open(studio, "history?tab=scripts");
    await accessible(studio, `scripts, ${theme}`);
    await open(studio, "models?tab=more");
    await accessible(studio, `models to get, ${theme}`);
    for (const group of ["keyboard", "pronunciation", "storage", "devices", "network", "api", "about", "diagnostics"]) {
      await open(studio, `settings/${group}`);
      await accessible(studio, `settings, ${group}, ${theme}`);
    }
  });

  test(`every dialog in ${theme} is accessible`, async ({ studio }) => {
    await studio.emulateMedia({ colorScheme: theme });
    const press = (name: string | RegExp) => studio.getByRole("button", { name }).first().click();
    await open(studio, "studio");
    await dialog(studio, `voice picker, ${theme}`, () => press("Change"));
    await dialog(studio, `voice picker with cards, ${theme}`, async () => {
      await press("Change");
      await studio.getByRole("radio", { name: "Cards" }).click();
    });
    await dialog(studio, `palette, ${theme}`, () => press("Search or run a command"));
    await dialog(studio, `what will be spoken, ${theme}`, () => press("Preview spoken text"));
    await dialog(studio, `respell, ${theme}`, async () => {
      await paper(studio).click();
      await studio.keyboard.press("Control+e");
    });
    await open(studio, "settings");
    await dialog(studio, `shortcuts, ${theme}`, async () => {
      await studio.getByRole("main").getByRole("heading", { level: 1 }).click();
      await studio.keyboard.press("?");
    });
    await open(studio, "voices");
    await dialog(studio, `new voice, ${theme}`, () => press("New voice"));
    await open(studio, "models");
    await dialog(studio, `add a model, ${theme}`, () => press("Import from disk"));
    await dialog(studio, `move the models, ${theme}`, () => press("Move"));
    for (const item of ["Show licence", "Delete"]) {
      await menu(studio, `menu of a model, ${theme}`, /^More for /);
      await dialog(studio, `${item} of a model, ${theme}`, () => studio.getByRole("menuitem", { name: item }).click());
    }
  });
}

test("Ctrl+F finds in the text of the Studio", async ({ studio }) => {
  await paper(studio).click();
  await studio.keyboard.press("Control+Home");
  await studio.keyboard.press("Control+F");
  await studio.keyboard.type("page"); // at once, before the panel is drawn
  const field = studio.getByRole("textbox", { name: "Find" });
  await expect(field).toHaveValue("page");
  await expect(studio.getByText(/^1 of \d+$/)).toBeVisible();
  await expect(studio.locator(".cm-searchMatch-selected")).toHaveText("page");
  await look(studio, "find in the text");
  await field.focus();
  await studio.keyboard.press("Escape");
  await expect(field).toBeHidden();
});
