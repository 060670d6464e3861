import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Transcript } from "@/api/types";
import { accessible } from "./axe";
import { dropFiles } from "./drop";
import { importTranscriber } from "./importedModels";
import { faultsOfLayout } from "./layout";
import { ask, hum, soundRate, wavOf } from "./seed";
import { expect, open, test as base, waitForPage } from "./studio";
import { paper } from "./words";

const pitches: Record<string, number> = { low: 250, mid: 1000, high: 4000 };

/** Returns audio of pure tones, five seconds each: the authored model "tones" hears each as its name. */
function tones(words: readonly string[]): Buffer {
  const samples = Buffer.alloc(words.length * 5 * soundRate * 2);
  words.forEach((word, block) => {
    for (let n = 0; n < 5 * soundRate; n += 1) {
      const value = Math.round(16_383 * Math.sin((2 * Math.PI * (pitches[word] ?? 0) * n) / soundRate));
      samples.writeInt16LE(value, (block * 5 * soundRate + n) * 2);
    }
  });
  return wavOf(samples);
}

const test = base.extend<{ view: Page }>({
  view: async ({ studio, server }, give) => {
    await importTranscriber(server);
    await open(studio, "transcribe");
    await give(studio);
  },
});

test.slow(); // each test starts a server and imports a model

const wav = (name: string, bytes = tones(["low", "mid", "high"])) => ({ name, type: "audio/wav", bytes });

const idOf = (page: Page) => new URL(page.url()).hash.split("/")[2] ?? "";
const text = (page: Page) => page.getByRole("list", { name: "Text" });

/** Drops one file and waits until its transcript is complete. */
async function transcribed(page: Page, name = "Talk.wav"): Promise<void> {
  await dropFiles(page, [wav(name)]);
  await expect(page.getByRole("textbox", { name: "Title" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send to Studio" })).toBeEnabled({ timeout: 120_000 });
  await expect(text(page)).toContainText("fellow");
}

test("a dropped file becomes text, which is edited, undone, found in and kept over a reload", async ({ view }) => {
  await transcribed(view);
  await view.getByText("fellow", { exact: true }).first().dblclick();
  const field = view.getByRole("textbox", { name: "Edit the sentence" });
  await expect(field).toBeFocused();
  await view.keyboard.press("Control+A");
  await view.keyboard.type("An edited sentence.");
  await view.keyboard.press("Enter");
  await expect(text(view)).toContainText("An edited sentence.");
  await expect(view.getByRole("button", { name: "Undo" })).toBeEnabled();
  await view.reload();
  await waitForPage(view);
  await expect(text(view)).toContainText("An edited sentence.");
  await view.keyboard.press("Control+z");
  await expect(text(view)).not.toContainText("An edited sentence.");
  await view.keyboard.press("Control+Shift+z");
  await expect(text(view)).toContainText("An edited sentence.");
  await view.keyboard.press("Control+f");
  await view.keyboard.type("EDITED");
  await expect(text(view).locator("mark")).toHaveText("edited");
});

test("a transcript plays in step with its words, and names its speakers", async ({ view }) => {
  await transcribed(view);
  await view.locator("[data-word]").first().click();
  await expect(view.getByRole("region", { name: "Player" }).getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(text(view).locator("[data-now]")).toHaveCount(1);
  await view.keyboard.press("Space");
  await view.keyboard.press("s");
  await view.getByLabel("Name", { exact: true }).fill("Ada");
  await view.keyboard.press("Enter");
  await expect(text(view).getByRole("button", { name: "Ada" })).toBeVisible();
  await view.getByRole("button", { name: "Rename Ada" }).click();
  await view.getByRole("textbox", { name: "Rename Ada" }).fill("Grace");
  await view.keyboard.press("Enter");
  await expect(text(view).getByRole("button", { name: "Grace" })).toBeVisible();
});

test("a transcript is exported, and sent to the Studio as a new draft", async ({ view }) => {
  await transcribed(view);
  for (const [item, end, words] of [
    ["Subtitles (SRT)", ".srt", "-->"],
    ["Text (TXT)", ".txt", "fellow"],
    ["JSON with all timestamps", ".json", '"segments"'],
  ] as const) {
    await view.getByRole("button", { name: "Export" }).click();
    const saved = view.waitForEvent("download");
    await view.getByRole("radio", { name: item }).check();
    await view.getByRole("button", { name: `Export ${end.slice(1).toUpperCase()}` }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe(`Talk${end}`);
    expect(await readFile(await file.path(), "utf8")).toContain(words);
  }
  await view.getByRole("button", { name: "Send to Studio" }).click();
  await expect(paper(view)).toContainText("fellow");
});

test("several files wait for each other; one is stopped, one is found and deleted", async ({ view, server }) => {
  await dropFiles(view, [wav("First.wav"), wav("Second.wav", wavOf(hum(600, 3)))]);
  await expect(view.getByRole("link", { name: "Second" })).toBeVisible();
  await view.getByRole("button", { name: "Stop “Second”" }).click();
  await expect(view.getByRole("img", { name: "Stopped" })).toBeVisible();
  const first = async () =>
    (await ask<{ items: Transcript[] }>(server, "/transcriptions")).items.find(({ title }) => title === "First");
  await expect.poll(async () => (await first())?.status, { timeout: 120_000 }).toBe("complete");
  await view.getByRole("textbox", { name: "Search transcripts" }).fill("fellow");
  await expect(
    view
      .getByRole("link", { name: /^First/ })
      .locator("mark")
      .first(),
  ).toHaveText(/fellow/i);
  await view.getByRole("textbox", { name: "Search transcripts" }).fill("");
  await view.getByRole("link", { name: "First" }).focus();
  await view.keyboard.press("Delete");
  await expect(view.getByRole("link", { name: "First" })).toBeHidden();
  await view.keyboard.press("Control+z");
  await expect(view.getByRole("link", { name: "First" })).toBeVisible();
  await view.getByRole("link", { name: "First" }).focus();
  await view.keyboard.press("Delete");
  await view.getByRole("status").getByRole("button", { name: "Close" }).click();
  await expect
    .poll(async () => (await ask<{ items: Transcript[] }>(server, "/transcriptions")).items.map(({ title }) => title))
    .toEqual(["Second"]);
});

test("a file that is no audio says so", async ({ view }) => {
  await dropFiles(view, [{ name: "letter.mp3", type: "audio/mpeg", bytes: Buffer.from("Dear reader, this is text.") }]);
  await expect(view.getByRole("alert").first()).toBeVisible();
  await expect(view.getByRole("alert").first()).toContainText(/audio|file/i);
  await expect(view.getByRole("alert").getByRole("button", { name: "Try again" }).first()).toBeVisible();
});

test("audio that is dropped on another screen is transcribed here", async ({ view }) => {
  await open(view, "history");
  await dropFiles(view, [wav("Elsewhere.wav")]);
  await expect(view.getByRole("textbox", { name: "Title" })).toHaveValue("Elsewhere");
});

test("in a low window the drop zone scrolls to its start and its end", async ({ studio }) => {
  await studio.setViewportSize({ width: 400, height: 300 });
  await open(studio, "transcribe");
  for (const part of [
    studio.getByRole("heading", { name: "Drop audio or video files" }),
    studio.getByRole("button", { name: /^Download / }),
  ]) {
    await part.scrollIntoViewIfNeeded();
    await expect(part).toBeInViewport({ ratio: 1 });
  }
});

for (const theme of ["dark", "light"] as const) {
  test(`the screen in ${theme} is accessible, also in a small window and in German`, async ({ view }) => {
    await view.emulateMedia({ colorScheme: theme });
    await accessible(view, `empty, ${theme}`);
    await view.getByRole("button", { name: "Options" }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    await accessible(view, `options, ${theme}`, "[role=dialog]");
    await view.keyboard.press("Escape");
    await transcribed(view);
    const id = idOf(view);
    await accessible(view, `transcript, ${theme}`);
    await view.keyboard.press("Control+f");
    await view.keyboard.type("you");
    await accessible(view, `find, ${theme}`);
    await view.keyboard.press("Escape");
    await view
      .getByRole("button", { name: /^More for the paragraph/ })
      .first()
      .click();
    await view.getByRole("menuitem", { name: "Transcribe this part again" }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    await accessible(view, `rerun, ${theme}`);
    await view.keyboard.press("Escape");
    await open(view, "transcribe");
    await accessible(view, `list, ${theme}`);
    await view.evaluate(() => localStorage.setItem("voicewright.prefs", JSON.stringify({ language: "de" })));
    await view.setViewportSize({ width: 800, height: 600 });
    await view.reload();
    await waitForPage(view);
    expect.soft(await view.evaluate(faultsOfLayout), "list, small, German").toEqual([]);
    await open(view, `transcribe/${id}`);
    expect.soft(await view.evaluate(faultsOfLayout), "transcript, small, German").toEqual([]);
    await accessible(view, `transcript, small, German, ${theme}`);
  });
}
