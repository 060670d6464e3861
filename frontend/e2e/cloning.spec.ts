import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import type { components } from "@/api/schema";
import { accessible } from "./axe";
import { faultsOfLayout } from "./layout";
import { startHub, type Hub } from "./hub";
import { expect, open, test as base, type Server } from "./studio";
import { sounds, write } from "./words";

/** The hub offers a model of German, which speaks a tone with the pitch of the sample: see engines/pocket/pockettest. */
const test = base.extend<{ hub: Hub }>({
  // eslint-disable-next-line no-empty-pattern
  hub: async ({}, give) => {
    const hub = await startHub();
    await give(hub);
    await hub.stop();
  },
  options: async ({ hub }, give) => give({ hub: hub.url }),
});

const run = promisify(execFile);

/** A woman and a man. */
const recordings = {
  Linda: "../backend/audio/testdata/speech/LJ001-0001.wav",
  Kennedy: "../backend/audio/testdata/speech/jfk.wav",
} as const;

/** A model with the layout of Pocket TTS and tiny graphs, which speaks noise in English. */
const tinyModel = "../engines/pocket/testdata/kit/repo/onnx/english_2026-04";
const german = /Pocket TTS German/;
const spoken = "Every morning, just before seven, the old ferry leaves the harbour and turns towards the islands.";

const command = (server: Server, ...args: string[]) =>
  run("../bin/voicewright", args, { env: { ...process.env, VOICEWRIGHT_DATA_DIR: server.data } });

/** Returns a WAV file of a few seconds of speech. */
async function speech(server: Server, voice: string): Promise<string> {
  const file = join(server.data, `${voice}.wav`);
  await command(server, "say", spoken, "--voice", `espeak:${voice}`, "--output", file);
  return file;
}

async function content(server: Server, path: string): Promise<Response> {
  const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${server.token}` } });
  expect(response.ok, path).toBe(true);
  return response;
}

const get = async <T>(server: Server, path: string) => (await (await content(server, path)).json()) as T;

const audio = async (server: Server, path: string) => Buffer.from(await (await content(server, path)).arrayBuffer());

/** Returns half of how many times a second a WAV file, mono of 16 bits, crosses zero: of a tone, its frequency in Hz. */
function pitchOf(wav: Buffer): number {
  let rate = 0;
  for (let at = 12; at + 8 <= wav.length; at += 8 + wav.readUInt32LE(at + 4)) {
    const kind = wav.toString("latin1", at, at + 4);
    if (kind === "fmt ") rate = wav.readUInt32LE(at + 12);
    if (kind !== "data") continue;
    const count = wav.readUInt32LE(at + 4) / 2;
    const sample = (i: number) => wav.readInt16LE(at + 8 + 2 * i);
    let crossings = 0;
    for (let i = 1; i < count; i++) if (sample(i) < 0 !== sample(i - 1) < 0) crossings++;
    return ((crossings / (count - 1)) * rate) / 2;
  }
  throw new Error("the WAV file has no data");
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
async function describe(wizard: Locator, name: string, language: string, model: RegExp): Promise<void> {
  await next(wizard);
  await next(wizard, "Skip");
  await wizard.getByRole("textbox", { name: "Name" }).fill(name);
  await wizard.getByRole("combobox", { name: "Language" }).selectOption({ label: language });
  await expect(wizard.getByRole("radio", { name: model })).toBeChecked();
  await wizard.getByRole("radio", { name: "It is my own voice" }).check();
}

/** Generates in the Studio with a voice, and returns the audio. */
async function generate(page: Page, server: Server, voice: Profile): Promise<Buffer> {
  await page.evaluate((id) => {
    location.hash = `#/studio?voice=${id}`;
  }, voice.id);
  await expect(page.getByRole("complementary")).toContainText(voice.name);
  await write(page, "Guten Morgen, wie geht es Ihnen?");
  await page.keyboard.press("Control+Enter");
  await sounds(page);
  const done = () =>
    get<{ items: { profile_id: string; status: string; id: string }[] }>(server, "/history").then(({ items }) =>
      items.find((one) => one.profile_id === voice.id && one.status === "complete"),
    );
  await expect.poll(done).toBeTruthy();
  return audio(server, `/audio/${(await done())?.id ?? ""}`);
}

/** Returns the recording from which a voice was made, as it is stored. */
async function sampleOf(server: Server, voice: Profile): Promise<Buffer> {
  const { items } = await get<{ items: { audio_url: string }[] }>(server, `/profiles/${voice.id}/samples`);
  expect(items).toHaveLength(1);
  return audio(server, items[0]?.audio_url ?? "");
}

test("a voice from a recording: drop, trim, listen, save, and it sounds by its sample", async ({ studio, server }) => {
  const wizard = await openWizard(studio);
  await accessible(studio, "recording", "[role=dialog]");
  await drop(wizard, recordings.Linda);
  const start = wizard.getByRole("slider", { name: "Start of the part that is used" });
  await expect(start).toBeVisible();
  await start.press("Shift+ArrowRight");
  await expect(wizard.getByText(/Length/)).toBeVisible();
  await expect(wizard.getByRole("button", { name: "Next", exact: true })).toBeEnabled(); // it fades in once the part was checked
  await accessible(studio, "trim", "[role=dialog]");
  await describe(wizard, "Linda", "German", german);
  await accessible(studio, "listen", "[role=dialog]");

  await studio.setViewportSize({ width: 800, height: 600 });
  expect(await studio.evaluate(faultsOfLayout)).toEqual([]);
  await studio.setViewportSize({ width: 1280, height: 800 });

  await wizard.getByRole("checkbox", { name: /^I accept the licence/ }).check();
  await wizard.getByRole("button", { name: /^Download/ }).click();
  await expect(wizard.getByRole("button", { name: "Play preview" })).toBeEnabled({ timeout: 60_000 });
  await expect(wizard.getByRole("radio", { name: german })).toHaveAccessibleDescription(/^Ready/);
  const heard = studio.waitForResponse((response) => response.url().endsWith("/preview"));
  await wizard.getByRole("button", { name: "Play preview" }).click();
  expect((await heard).ok()).toBe(true);
  await next(wizard, "Save voice");
  await expect(wizard).toBeHidden();
  await expect(studio.getByRole("complementary").getByText(/^Your own voice, stated on/)).toBeVisible();
  await accessible(studio, "samples");

  const again = await openWizard(studio);
  await again.locator("input[type=file]").setInputFiles(recordings.Kennedy);
  await expect(start).toBeVisible();
  await describe(again, "Kennedy", "German", german);
  await next(again, "Save voice");
  await expect(again).toBeHidden();

  const voices = await voicesOf(server);
  expect(voices.map((one) => one.name).sort()).toEqual(["Kennedy", "Linda"]);
  const pitches: number[] = [];
  for (const voice of voices) {
    const [sample, spoken] = [pitchOf(await sampleOf(server, voice)), pitchOf(await generate(studio, server, voice))];
    process.stdout.write(`${voice.name}: sample ${sample.toFixed(1)} Hz, speech ${spoken.toFixed(1)} Hz\n`);
    expect(Math.abs(spoken / sample - 1), voice.name).toBeLessThan(0.05);
    pitches.push(spoken);
  }
  expect(Math.max(...pitches) / Math.min(...pitches)).toBeGreaterThan(1.1); // no voice is taken for the other
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
  await describe(wizard, "Draft", "English", /2026-04/);
  await wizard.getByRole("button", { name: "Play preview" }).click();
  await expect.poll(() => voicesOf(server).then(([voice]) => voice?.samples)).toBe(1); // the page knows its id
  await studio.close({ runBeforeUnload: true });
  await expect.poll(() => voicesOf(server)).toEqual([]);
});
