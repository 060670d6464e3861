import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { dropFiles } from "./drop";
import { test as base } from "./hub";
import { importDiarizer, importTranscriber, tonesFile } from "./importedModels";
import { faultsOfLayout } from "./layout";
import { wavOf } from "./seed";
import { expect, open, waitForPage } from "./studio";

const voices = "3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx"; // the larger file of Speakers

const rate = 16_000; // of the toy recording

/** Returns a part of the toy recording for each span in seconds, one after the other. */
async function recording(): Promise<Buffer> {
  const raw = await readFile(tonesFile);
  const spans = [
    [0.5, 4], // the first voice
    [4.4, 7], // the second
    [11, 13],
    [29, 31],
    [0.5, 4],
  ] as const;
  return wavOf(Buffer.concat(spans.map(([from, to]) => raw.subarray(44 + from * rate * 2, 44 + to * rate * 2))));
}

const test = base.extend<{ view: Page }>({
  view: async ({ studio, server }, give) => {
    await importTranscriber(server);
    await open(studio, "transcribe");
    await give(studio);
  },
});

test.slow(); // each test starts a server and imports models

const text = (page: Page) => page.getByRole("list", { name: "Text" });
const speakers = (page: Page) =>
  page.getByRole("region", { name: "Speakers" }).getByRole("button", { name: /^Filter by / });

async function dropTones(page: Page): Promise<void> {
  await dropFiles(page, [{ name: "Tones.wav", type: "audio/wav", bytes: await recording() }]);
  await expect(page.getByRole("button", { name: "Send to Studio" })).toBeEnabled({ timeout: 120_000 });
  await expect(text(page)).toContainText("fellow");
}

test("nothing is downloaded unasked; a download that the hub delays is cancelled, a damaged model is said, and tried again", async ({
  view,
  server,
  hub,
}) => {
  await view.getByRole("button", { name: "Options" }).click();
  await expect(view.getByRole("group", { name: "Speakers" })).toContainText(
    "a model of 35 MB, which is downloaded once",
  );
  await view.keyboard.press("Escape");
  await dropTones(view);
  expect(await hub.asked(voices)).toEqual([]);

  await hub.fault({ kind: "status", status: 503, hub: true });
  await view.getByRole("button", { name: "Find speakers…" }).click();
  await view.getByRole("button", { name: "Download 35 MB and find speakers" }).click();
  await expect(view.getByText(/^Downloading the model for speakers/)).toBeVisible();
  await expect(text(view)).toContainText("fellow");
  await open(view, "transcribe");
  await expect(view.getByText(/^Downloading the model for speakers/)).toBeVisible();
  await view.getByRole("link", { name: "Tones" }).click();
  await view.getByRole("button", { name: "Cancel finding the speakers of “Tones”" }).click();
  await expect(view.getByText(/^Downloading the model for speakers/)).toBeHidden();
  await expect(text(view)).toContainText("fellow");

  await hub.heal();
  await view.getByRole("button", { name: "Find speakers…" }).click();
  await view.getByRole("button", { name: "Download 35 MB and find speakers" }).click();
  const alert = view.getByRole("alert").filter({ hasText: "The speakers weren’t found." });
  await expect(alert).toBeVisible();
  await importDiarizer(server);
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(alert).toBeHidden();
  await expect(speakers(view)).toHaveCount(2);
});

test("the speakers of a file are found with it, again with another number, undone and removed", async ({
  view,
  server,
}) => {
  await importDiarizer(server);
  await dropTones(view);
  await expect(speakers(view)).toHaveCount(2);
  await view.getByRole("button", { name: "Find again with another number…" }).click();
  const dialog = view.getByRole("dialog", { name: "Find speakers again" });
  await expect(dialog).toContainText("Names and lines that you set yourself stay.");
  await dialog.getByLabel("Number of speakers").fill("1");
  await view.keyboard.press("Enter");
  await expect(speakers(view)).toHaveCount(1);
  await view.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(speakers(view)).toHaveCount(2);

  await view.getByRole("button", { name: "Find again with another number…" }).click();
  await dialog.getByLabel("Number of speakers").fill("9");
  await dialog.getByRole("button", { name: "Find speakers" }).click();
  await expect(view.getByText("Fewer voices were found than you asked for.")).toBeVisible();
  await view.getByRole("button", { name: "Try another number" }).click();
  await dialog.getByLabel("Number of speakers").fill("2");
  await view.keyboard.press("Enter");
  await expect(view.getByText("Fewer voices were found than you asked for.")).toBeHidden();
  await expect(speakers(view)).toHaveCount(2);

  await view.getByRole("button", { name: "Remove speakers" }).click();
  await expect(speakers(view)).toHaveCount(0);
  await view.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(speakers(view)).toHaveCount(2);
});

for (const theme of ["dark", "light"] as const) {
  test(`what finds speakers is accessible in ${theme}, and fits a narrow window in German`, async ({
    view,
    server,
  }) => {
    await view.emulateMedia({ colorScheme: theme });
    await view.getByRole("button", { name: "Options" }).click();
    await expect(view.getByRole("group", { name: "Speakers" })).toBeVisible();
    await accessible(view, `options, ${theme}`, "[role=dialog]");
    await view.keyboard.press("Escape");
    await importDiarizer(server);
    await dropTones(view);
    await expect(speakers(view)).toHaveCount(2);
    await view.getByRole("button", { name: "Find again with another number…" }).click();
    await accessible(view, `dialog, ${theme}`);
    await view.getByLabel("Number of speakers").fill("9");
    await view.keyboard.press("Enter");
    await expect(view.getByText("Fewer voices were found than you asked for.")).toBeVisible();
    await accessible(view, `transcript, ${theme}`);
    await view.getByRole("button", { name: "Export", exact: true }).click();
    await accessible(view, `export, ${theme}`);
    await view.keyboard.press("Escape");
    await view.evaluate(() => localStorage.setItem("voicewright.prefs", JSON.stringify({ language: "de" })));
    await view.setViewportSize({ width: 400, height: 600 });
    await view.reload();
    await waitForPage(view);
    expect.soft(await view.evaluate(faultsOfLayout), "transcript, narrow, German").toEqual([]);
    await view.getByRole("button", { name: "Andere Anzahl versuchen" }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    expect.soft(await view.evaluate(faultsOfLayout), "dialog, narrow, German").toEqual([]);
    await view.keyboard.press("Escape");
    await view.getByRole("button", { name: "Exportieren", exact: true }).click();
    await expect(view.getByRole("dialog")).toBeVisible();
    expect.soft(await view.evaluate(faultsOfLayout), "export, narrow, German").toEqual([]);
    await view.keyboard.press("Escape");
    await open(view, "transcribe");
    await view.getByRole("button", { name: "Optionen" }).click();
    await expect(view.getByLabel("Sprecher")).toBeVisible();
    expect.soft(await view.evaluate(faultsOfLayout), "options, narrow, German").toEqual([]);
  });
}
