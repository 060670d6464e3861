import type { Page } from "@playwright/test";
import { test, type Hub } from "./hub";
import { ask } from "./seed";
import { expect, type Server } from "./studio";
import { paper, sounds, write } from "./words";

const lessac = "en/en_US/lessac/medium/";
const thorsten = "de/de_DE/thorsten/high/";
const timeout = { timeout: 60_000 };

/** Makes the download of a voice take about ten seconds. */
const slow = (hub: Hub, folder: string) => hub.fault({ kind: "slow", path: graphOf(folder), piece: 16_000, pause: 5 });
const graphOf = (folder: string) =>
  `${folder}${folder.split("/")[1] ?? ""}-${folder.split("/").slice(2, 4).join("-")}.onnx`;
const askedIn = async (hub: Hub, folder: string) => (await hub.asked("")).filter(({ Path }) => Path.includes(folder));

/** Returns the models and texts of the generations, the newest first. */
const generations = async (server: Server) =>
  (await ask<{ items: { model_name: string; text: string; status: string }[] }>(server, "/history?limit=10")).items.map(
    ({ model_name, text, status }) => [model_name, text, status].join(" · "),
  );

test.describe("after the first audio", () => {
  test.use({ locale: "de-DE" });

  test("one click gets the best voice of the language and speaks the text again, also after a stop", async ({
    studio,
    hub,
    server,
  }) => {
    await slow(hub, thorsten);
    const words = "Ein Satz, der noch einmal gesprochen wird.";
    await write(studio, words);
    await studio.keyboard.press("Control+Enter");
    const card = studio.getByRole("region", { name: "Bessere Stimmen" });
    await expect(card).toContainText("Thorsten (high)");
    expect(await askedIn(hub, thorsten), "nothing is fetched before the click").toEqual([]);

    await card.getByRole("button", { name: /herunterladen$/ }).click();
    const bar = card.getByRole("progressbar");
    await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow")), timeout).toBeGreaterThan(9);
    await card.getByRole("button", { name: "Stopp" }).click();
    await expect(card).toContainText("sind gespeichert");
    await card.getByRole("button", { name: /^Fortsetzen/ }).click();
    await expect(studio.getByText("Thorsten ist bereit und jetzt die Stimme.")).toBeVisible(timeout);
    const starts = (await hub.asked(graphOf(thorsten))).filter(({ Storage }) => Storage).map(({ Range }) => Range);
    expect(starts).toHaveLength(2);
    expect(Number(/\d+/.exec(starts[1] ?? "")?.[0] ?? 0), "what was there is not fetched again").toBeGreaterThan(
      1_000_000,
    );

    await expect
      .poll(() => generations(server), timeout)
      .toEqual([`piper-de_DE-thorsten-high · ${words} · complete`, `espeak · ${words} · complete`]);
    await expect(card).toBeHidden();
  });
});

/** Opens the picker at the voice Lessac in medium quality, which is not downloaded. */
async function pick(studio: Page) {
  await studio.getByRole("button", { name: "Change", exact: true }).click();
  const picker = studio.getByRole("dialog");
  await picker.getByRole("textbox", { name: "Search by name, language or description" }).fill("lessac medium");
  return { picker, voice: picker.getByRole("row").filter({ hasText: "Medium quality" }).first() };
}

test("the picker does not hold the window during a download, and remembers the choice", async ({ studio, hub }) => {
  await slow(hub, lessac);
  const { picker, voice } = await pick(studio);
  await voice.dblclick();
  await picker.getByRole("button", { name: /^Download \d/ }).click();
  await picker.getByRole("button", { name: "Continue in the background" }).click();
  await expect(picker).toBeHidden();
  await write(studio, "Written during the download");
  await studio.keyboard.press("End");
  await studio.keyboard.type(", and after it.");
  await expect(paper(studio)).toHaveText("Written during the download, and after it.");
  await expect(studio.getByText("Lessac is ready and is now the voice.")).toBeVisible(timeout);
  await studio.keyboard.press("Control+Enter");
  await sounds(studio);
  await expect(studio.getByText(/^Saved /)).toBeVisible();
  await studio.reload();
  await expect(studio.getByRole("complementary")).toContainText("Lessac");
});

test("a voice is heard before its download, and only the sample that was asked for is fetched", async ({
  studio,
  hub,
}) => {
  const { picker, voice } = await pick(studio);
  await expect(voice).toBeVisible();
  expect(await askedIn(hub, "samples/")).toEqual([]);
  const listen = picker.getByRole("button", { name: "Listen to Lessac" }).first();
  await listen.click();
  await expect(picker.getByRole("button", { name: "Stop Lessac" })).toBeVisible();
  const asked = await askedIn(hub, "");
  expect(new Set(asked.map(({ Path }) => Path).filter((path) => path.includes("/en_US/")))).toEqual(
    new Set([expect.stringContaining(`${lessac}samples/speaker_0.mp3`)]),
  );
});

test("says in a sentence that the hub no longer has a sample", async ({ studio, hub }) => {
  await hub.fault({ kind: "status", path: `${lessac}samples/speaker_0.mp3`, hub: true, status: 404 });
  const { picker, voice } = await pick(studio);
  await voice.click();
  await picker.getByRole("button", { name: "Listen to Lessac" }).first().click();
  await expect(picker.getByRole("alert")).toContainText("There is no published sample of this voice.");
});
