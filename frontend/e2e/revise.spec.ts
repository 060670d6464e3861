import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIRequestContext, Page } from "@playwright/test";
import { expect, open, test, type Server } from "./studio";
import { paper, row, sounds, write } from "./words";

/** The built-in voice, which writes down what it speaks. */
const folder = mkdtempSync(join(tmpdir(), "voicewright-voice-"));
const program = execFileSync("sh", ["-c", "command -v espeak-ng"], { encoding: "utf8" }).trim();
const voice = join(folder, "espeak-ng");
const log = join(folder, "spoken");
writeFileSync(
  voice,
  `#!/bin/sh
case "$*" in *--stdout*) ;; *) exec ${program} "$@" ;; esac
text=$(cat)
printf '%s\\n' "$text" >> ${log}
printf '%s' "$text" | exec ${program} "$@"
`,
);
chmodSync(voice, 0o755);
const spoken = () => readFileSync(log, "utf8").trim().split("\n");

test.use({ options: { env: { PATH: `${folder}:${process.env.PATH ?? ""}` } } });
test.beforeEach(() => writeFileSync(log, ""));
test.afterAll(() => rmSync(folder, { recursive: true }));

const first = "The first passage is read aloud.";
const second = "Second, this passage is read too.";
const third = "The third one is the last.";
const generate = (studio: Page, name: string) => studio.getByRole("button", { name, exact: true });
const hollow = (studio: Page) => studio.locator('.st-mark[data-state="changed"]');

async function made(studio: Page): Promise<void> {
  await write(studio, [first, second, third].join("\n\n"));
  await studio.keyboard.press("Control+Enter");
  await sounds(studio);
  await expect(generate(studio, "Generate")).toBeVisible();
  await expect(studio.locator(".st-mark")).toHaveCount(3);
  await expect(hollow(studio)).toHaveCount(0);
  expect(spoken()).toHaveLength(3);
}

/** Returns the only generation: its passages, and the hash of its audio. */
async function stored(server: Server, request: APIRequestContext) {
  const headers = { Authorization: `Bearer ${server.token}` };
  const answer = await request.get(`${server.url}/history?full=true`, { headers });
  const { items } = (await answer.json()) as { items: { audio_path: string; chunks: { text: string }[] }[] };
  expect(items).toHaveLength(1);
  const [{ audio_path, chunks } = { audio_path: "", chunks: [] }] = items;
  const sound = createHash("sha256").update(readFileSync(audio_path)).digest("hex");
  return { sound, texts: chunks.map(({ text }) => text) };
}

test("generates only the passage that was edited, and takes it back with its audio", async ({
  studio,
  server,
  request,
}) => {
  await made(studio);
  const before = await stored(server, request);
  await paper(studio)
    .getByText("Second")
    .dblclick({ position: { x: 10, y: 10 } });
  await studio.keyboard.type("Later");
  await expect(hollow(studio)).toHaveCount(1);
  await generate(studio, "Generate 1 passage").click();
  await expect(studio.getByText("1 passage generated. The others are unchanged.")).toBeVisible();
  expect(spoken().slice(3)).toEqual(["Later, this passage is read too."]);
  await expect(hollow(studio)).toHaveCount(0);
  const changed = await stored(server, request);
  expect(changed.texts).toEqual([first, "Later, this passage is read too.", third]);
  expect(changed.sound).not.toBe(before.sound);

  await studio.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  await expect(paper(studio)).toContainText(second);
  await expect(hollow(studio)).toHaveCount(0);
  await expect(generate(studio, "Generate")).toBeVisible();
  expect(await stored(server, request)).toEqual(before);
  expect(spoken()).toHaveLength(4);
  await open(studio, "history");
  await expect(row(studio, "passage")).toHaveCount(1);
});

test("another order of the passages is joined again without speech", async ({ studio, server, request }) => {
  await made(studio);
  await write(studio, [third, first, second].join("\n\n"));
  await generate(studio, "Join again").click();
  await expect(studio.getByText("Rejoined. No passages needed generating.")).toBeVisible();
  expect((await stored(server, request)).texts).toEqual([third, first, second]);
  expect(spoken()).toHaveLength(3);
  await expect(studio.locator(".st-mark")).toHaveCount(3);
  await expect(hollow(studio)).toHaveCount(0);
});
