import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "./studio";
import { write } from "./words";

/** The built-in voice, which waits in passages with a word for which there is a file. */
const folder = mkdtempSync(join(tmpdir(), "voicewright-voice-"));
const program = execFileSync("sh", ["-c", "command -v espeak-ng"], { encoding: "utf8" }).trim();
const voice = join(folder, "espeak-ng");
writeFileSync(
  voice,
  `#!/bin/sh
case "$*" in *--stdout*) ;; *) exec ${program} "$@" ;; esac
text=$(cat)
for word in Second Third; do
  case "$text" in *$word*) while [ -e "${folder}/$word" ]; do sleep 0.05; done ;; esac
done
printf '%s' "$text" | exec ${program} "$@"
`,
);
chmodSync(voice, 0o755);
const hold = (word: string) => writeFileSync(join(folder, word), "");
const release = (word: string) => rmSync(join(folder, word));

test.use({ options: { env: { PATH: `${folder}:${process.env.PATH ?? ""}` } } });
test.afterAll(() => rmSync(folder, { recursive: true }));

test("plays a generation while it is made, waits for speech, seeks, and goes on with the file", async ({ studio }) => {
  hold("Second");
  hold("Third");
  const words = "is read aloud while the others are made";
  await write(studio, `The first passage ${words}.\n\nSecond, this passage ${words}.\n\nThird, this one ${words}.`);
  await expect(studio.getByText(/^Saved /)).toBeVisible();
  await studio.getByRole("button", { name: "Generate" }).click();

  const player = studio.getByRole("region", { name: "Player" });
  const position = player.getByRole("slider", { name: "Position" });
  await expect(player.getByText(/^0:0\d so far$/)).toBeVisible();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(studio.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
  await expect(studio.locator('.st-mark[data-state="playing"]')).toHaveCount(1);
  await expect(studio.locator('.st-mark[data-state="generating"]')).toHaveCount(2);
  await expect(player.getByRole("status")).toHaveText(/^Waiting for speech, continues at 0:0[2-4]$/);

  await position.press("Home"); // what is there can be heard again
  await expect(player.getByRole("status")).toBeHidden();
  await expect(position).toHaveAttribute("aria-valuetext", /^0:0[0-2] /);
  await player.getByRole("button", { name: "Pause" }).click();
  release("Second");
  await expect(player.getByText(/^0:0[5-8] so far$/)).toBeVisible();
  await player.getByRole("button", { name: "Play", exact: true }).click();
  release("Third");

  await expect(player.getByRole("button", { name: /^Export (?!options)/ })).toBeVisible();
  await expect(player.getByText(/so far$/)).toBeHidden();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(position).toHaveAttribute("aria-valuetext", /^0:0[1-9] \/ 0:(0[7-9]|1\d)$/);
});
