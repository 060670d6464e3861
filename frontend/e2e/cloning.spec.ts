import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import type { components } from "@/api/schema";
import { accessible } from "./axe";
import { faultsOfLayout } from "./layout";
import { expect, open, test, type Server } from "./studio";
import { sounds, write } from "./words";

const run = promisify(execFile);

/** A model with the layout of Pocket TTS and tiny graphs: what it says is noise, which depends on the sample. */
const tinyModel = "../engines/pocket/testdata/kit/repo/onnx/english_2026-04";
const spoken = "Every morning, just before seven, the old ferry leaves the harbour and turns towards the islands.";

const command = (server: Server, ...args: string[]) =>
  run("../bin/voicewright", args, { env: { ...process.env, VOICEWRIGHT_DATA_DIR: server.data } });

/** Returns a WAV file of a few seconds of speech. */
async function speech(server: Server, voice: string): Promise<string> {
  const file = join(server.data, `${voice}.wav`);
  await command(server, "say", spoken, "--voice", `espeak:${voice}`, "--output", file);
  return file;
}

async function get<T>(server: Server, path: string): Promise<T> {
  const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${server.token}` } });
  expect(response.ok, path).toBe(true);
  return (await response.json()) as T;
}

type Profile = components["schemas"]["Profile"];
const voicesOf = async (server: Server) =>
  (await get<{ items: Profile[] }>(server, "/profiles?limit=100")).items.filter((one) => one.voice_type === "cloned");

async function openWizard(page: Page): Promise<Locator> {
  await open(page, "voices");
  await page.getByRole("button", { name: "New voice" }).click();
  await page.getByRole("radio", { name: "A recording" }).click();
  const wizard = page.getByRole("dialog", { name: "Voice from a recording" });
  await expect(wizard).toBeVisible();
  return wizard;
}

const next = (wizard: Locator, name = "Next") => wizard.getByRole("button", { name, exact: true }).click();

/** Drops a file on the waveform, as from a file manager. */
async function drop(wizard: Locator, file: string): Promise<void> {
  const content = (await readFile(file)).toString("base64");
  await wizard.getByText("Drop an audio file here").evaluate((element, base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "ferry.wav", { type: "audio/wav" }));
    for (const type of ["dragenter", "dragover", "drop"])
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, content);
}

/** Goes from the trim to the last step without a transcript, and states the consent. */
async function describe(wizard: Locator, name: string): Promise<void> {
  await next(wizard);
  await next(wizard, "Skip");
  await wizard.getByRole("textbox", { name: "Name" }).fill(name);
  await expect(wizard.getByRole("radio", { name: /2026-04/ })).toBeChecked();
  await wizard.getByRole("radio", { name: "It is my own voice" }).check();
}

/** Generates in the Studio with a voice, and returns the audio. */
async function generate(page: Page, server: Server, voice: Profile): Promise<Buffer> {
  await page.evaluate((id) => {
    location.hash = `#/studio?voice=${id}`;
  }, voice.id);
  await expect(page.getByRole("complementary")).toContainText(voice.name);
  await write(page, "Good morning.");
  await page.keyboard.press("Control+Enter");
  await sounds(page);
  const done = () =>
    get<{ items: { profile_id: string; status: string; id: string }[] }>(server, "/history").then(({ items }) =>
      items.find((one) => one.profile_id === voice.id && one.status === "complete"),
    );
  await expect.poll(done).toBeTruthy();
  const audio = await fetch(`${server.url}/audio/${(await done())?.id ?? ""}`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  return Buffer.from(await audio.arrayBuffer());
}

test("a voice from a recording: drop, trim, listen, save, and it sounds by its sample", async ({ studio, server }) => {
  await command(server, "models", "import", tinyModel, "--name", "tiny");
  const [first, second] = [await speech(server, "en-us"), await speech(server, "en-gb")];

  const wizard = await openWizard(studio);
  await accessible(studio, "recording", "[role=dialog]");
  await drop(wizard, first);
  const start = wizard.getByRole("slider", { name: "Start of the part that is used" });
  await expect(start).toBeVisible();
  await start.press("Shift+ArrowRight");
  await expect(wizard.getByText(/Length/)).toBeVisible();
  await accessible(studio, "trim", "[role=dialog]");
  await describe(wizard, "Ferry");
  await accessible(studio, "listen", "[role=dialog]");

  await studio.setViewportSize({ width: 800, height: 600 });
  expect(await studio.evaluate(faultsOfLayout)).toEqual([]);
  await studio.setViewportSize({ width: 1280, height: 800 });

  const heard = studio.waitForResponse((response) => response.url().endsWith("/preview"));
  await wizard.getByRole("button", { name: "Play preview" }).click();
  expect((await heard).ok()).toBe(true);
  await next(wizard, "Save voice");
  await expect(wizard).toBeHidden();
  await expect(studio.getByRole("complementary").getByText(/^Your own voice, stated on/)).toBeVisible();
  await accessible(studio, "samples");

  const again = await openWizard(studio);
  await again.locator("input[type=file]").setInputFiles(second);
  await expect(start).toBeVisible();
  await describe(again, "Other");
  await next(again, "Save voice");
  await expect(again).toBeHidden();

  const voices = await voicesOf(server);
  expect(voices.map((one) => [one.name, one.samples])).toEqual(
    expect.arrayContaining([
      ["Ferry", 1],
      ["Other", 1],
    ]),
  );
  const [a, b] = await Promise.all(voices.map((one) => one)).then(async ([x, y]) => [
    await generate(studio, server, x as Profile),
    await generate(studio, server, y as Profile),
  ]);
  expect(a?.length).toBeGreaterThan(1000);
  expect(a?.equals(b as Buffer)).toBe(false);
});

test("nothing is left of a preview when the window closes, and a tone is refused with its reason", async ({
  studio,
  server,
}) => {
  await command(server, "models", "import", tinyModel, "--name", "tiny");
  const wizard = await openWizard(studio);
  await wizard.locator("input[type=file]").setInputFiles("../engines/pocket/testdata/kit/inputs/ref_24000_mono.wav");
  await expect(wizard.getByRole("alert")).toContainText(/can’t be used|too short|No speech|Nothing can be heard/);
  await wizard.locator("input[type=file]").setInputFiles(await speech(server, "en-us"));
  await expect(wizard.getByRole("slider").first()).toBeVisible();
  await describe(wizard, "Draft");
  await wizard.getByRole("button", { name: "Play preview" }).click();
  await expect.poll(() => voicesOf(server).then((list) => list.length)).toBe(1);
  await studio.close({ runBeforeUnload: true });
  await expect.poll(() => voicesOf(server)).toEqual([]);
});
