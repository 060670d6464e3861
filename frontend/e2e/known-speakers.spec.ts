import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { dropFiles } from "./drop";
import { importDiarizer, importTranscriber, tonesFile } from "./importedModels";
import { faultsOfLayout } from "./layout";
import { ask } from "./seed";
import { expect, open, test as base, waitForPage } from "./studio";

const bar = (page: Page) => page.getByRole("region", { name: "Speakers", exact: true });
const text = (page: Page) => page.getByRole("list", { name: "Text" });
const offers = (page: Page) => page.getByRole("list", { name: "Suggested names" });
const menuOf = (page: Page, speaker: string) =>
  bar(page).getByRole("button", { name: `More for ${speaker}`, exact: true });

/** Drops the recording of four tones, and waits until its speakers are found. Returns the id of the transcript. */
async function transcribed(page: Page, name: string): Promise<string> {
  await open(page, "transcribe");
  await dropFiles(page, [{ name, type: "audio/wav", bytes: await readFile(tonesFile) }]);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue(name.replace(".wav", ""));
  await expect(menuOf(page, "Speaker 4")).toBeVisible({ timeout: 120_000 });
  return new URL(page.url()).hash.split("/")[2] ?? "";
}

/** Remembers a speaker of the open transcript by a name. */
async function remember(page: Page, speaker: string, name: string): Promise<void> {
  await menuOf(page, speaker).click();
  await page.getByRole("menuitem", { name: "Recognise this voice again…" }).click();
  const dialog = page.getByRole("dialog", { name: "Recognise this voice again" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("radio", { name: "I have this person’s permission" }).check();
  await dialog.getByRole("textbox", { name: "Statement by" }).fill("Ilse");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(`Voice print of ${name} saved`)).toBeVisible();
  await expect(dialog.getByText(/of speech from 1 transcript$/)).toBeVisible();
}

const test = base.extend<{ view: Page }>({
  view: async ({ studio, server }, give) => {
    await importTranscriber(server);
    await importDiarizer(server);
    await transcribed(studio, "First.wav");
    await give(studio);
  },
});

test.slow(); // each test starts a server and imports two models

test("a remembered voice is offered in the next transcript, used, undone, and forgotten", async ({ view }) => {
  await remember(view, "Speaker 2", "Anna");
  await view.getByRole("button", { name: "Use “Anna” in this transcript" }).click();
  await expect(text(view).getByRole("button", { name: "Anna" }).first()).toBeVisible();

  const second = await transcribed(view, "Second.wav");
  await expect(offers(view).getByRole("listitem")).toHaveCount(1);
  await expect(text(view).getByRole("button", { name: "Anna" })).toHaveCount(0); // it is only offered
  await view.getByRole("button", { name: "Use “Anna” for Speaker 2" }).press("Enter");
  await expect(text(view).getByRole("button", { name: "Anna" }).first()).toBeVisible();
  await expect(offers(view)).toBeHidden();
  await view.keyboard.press("Control+z");
  await expect(offers(view)).toBeVisible();
  await view.getByRole("button", { name: "Not Anna: Speaker 2 keeps the name" }).click();
  await expect(offers(view)).toBeHidden();
  await view.reload(); // declined in the life of the window
  await waitForPage(view);
  await expect(offers(view)).toBeVisible();

  await open(view, "settings/speakers");
  const list = view.getByRole("list", { name: "Known speakers" });
  await expect(list.getByText(/of speech from 1 transcript/)).toBeVisible();
  await expect(list.getByText(/With permission, stated by Ilse on/)).toBeVisible();
  await list.getByRole("button", { name: "Rename Anna" }).click();
  await list.getByRole("textbox", { name: "Name" }).fill("Annika");
  await view.keyboard.press("Enter");
  await expect(list.getByRole("button", { name: "Rename Annika" })).toBeVisible();
  await open(view, `transcribe/${second}`);
  await expect(view.getByRole("button", { name: "Use “Annika” for Speaker 2" })).toBeVisible();

  await open(view, "settings/speakers");
  await list.getByRole("button", { name: "Forget Annika" }).click();
  await expect(view.getByText("No known speakers yet")).toBeVisible();
  await open(view, `transcribe/${second}`);
  await expect(menuOf(view, "Speaker 2")).toBeVisible();
  await expect(offers(view)).toBeHidden(); // before the undo bar has ended
  await view.getByRole("status").getByRole("button", { name: "Close" }).click();
  await view.reload();
  await waitForPage(view);
  await expect(menuOf(view, "Speaker 2")).toBeVisible();
  await expect(offers(view)).toBeHidden();
});

test("a transcript becomes a script, with the voices that are chosen", async ({ view, server }) => {
  await view.getByRole("button", { name: "Make a script…" }).click();
  const dialog = view.getByRole("dialog", { name: "Make a script" });
  await expect(dialog.getByRole("button", { name: /^Voice of Speaker/ })).toHaveCount(4);
  await dialog.getByRole("button", { name: /^Voice of Speaker 2/ }).click();
  await expect(view.getByRole("dialog")).toHaveCount(1); // dialogs never stack
  await view.keyboard.press("Escape");
  await expect(dialog.getByRole("button", { name: /^Voice of Speaker 2/ })).toBeFocused();
  await dialog.getByRole("button", { name: "Make script" }).click();
  await expect(view.getByRole("textbox", { name: "Name of Speaker 1" })).toBeVisible();
  await expect(view.getByRole("textbox", { name: /^Turn 1, Speaker 1/ })).toHaveValue(/\w/);
  const { items } = await ask<{ items: { name: string }[] }>(server, "/drafts");
  expect(items[0]?.name).toBe("First");
});

test("a backup has voice prints only where that is chosen", async ({ view }) => {
  await remember(view, "Speaker 2", "Anna");
  for (const isChosen of [false, true]) {
    await open(view, "settings/storage");
    await view.getByRole("button", { name: "Back up…" }).click();
    const choice = view.getByRole("switch", { name: "Include voice prints" });
    await expect(choice).not.toBeChecked();
    if (isChosen) await choice.click();
    const saved = view.waitForEvent("download");
    await view.getByRole("button", { name: "Save backup" }).click();
    const names = (await readFile(await (await saved).path())).toString("latin1");
    expect(/speakers\/[0-9a-f-]{36}\.json/.test(names)).toBe(isChosen);
  }
});

for (const theme of ["dark", "light"] as const) {
  test(`known speakers in ${theme} are accessible, also in a narrow window and in German`, async ({ view }) => {
    await view.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await menuOf(view, "Speaker 2").click();
    await view.getByRole("menuitem", { name: "Recognise this voice again…" }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    await accessible(view, `question, ${theme}`, "[role=dialog]");
    await view.keyboard.press("Escape");
    await remember(view, "Speaker 2", "Anna");
    await accessible(view, `result, ${theme}`, "[role=dialog]");
    await view.keyboard.press("Escape");
    const second = await transcribed(view, "Second.wav");
    await expect(offers(view)).toBeVisible();
    await accessible(view, `suggestion, ${theme}`);
    await view.getByRole("button", { name: "Make a script…" }).click();
    await expect(view.getByRole("dialog").getByRole("button", { name: /^Voice of Speaker 4/ })).toBeVisible();
    await accessible(view, `cast, ${theme}`, "[role=dialog]");
    await view.keyboard.press("Escape");
    await open(view, "settings/speakers");
    await expect(view.getByRole("button", { name: "Forget Anna" })).toBeVisible();
    await accessible(view, `settings, ${theme}`);

    await view.evaluate(() => localStorage.setItem("voicewright.prefs", JSON.stringify({ language: "de" })));
    await view.setViewportSize({ width: 400, height: 800 });
    await view.reload();
    await waitForPage(view);
    await accessible(view, `settings, narrow, German, ${theme}`);
    expect.soft(await view.evaluate(faultsOfLayout), "settings, narrow, German").toEqual([]);
    await open(view, `transcribe/${second}`);
    await expect(view.getByRole("list", { name: "Vorgeschlagene Namen" })).toBeVisible();
    expect.soft(await view.evaluate(faultsOfLayout), "suggestion, narrow, German").toEqual([]);
    await view.getByRole("button", { name: "Skript erstellen …" }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    expect.soft(await view.evaluate(faultsOfLayout), "cast, narrow, German").toEqual([]);
    await view.keyboard.press("Escape");
    await view.getByRole("button", { name: /^Mehr.*Speaker 2$/ }).click();
    await view.getByRole("menuitem", { name: "Diese Stimme wiedererkennen …" }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    expect.soft(await view.evaluate(faultsOfLayout), "question, narrow, German").toEqual([]);
    await accessible(view, `question, narrow, German, ${theme}`, "[role=dialog]");
  });
}
