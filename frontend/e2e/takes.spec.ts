import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { ask } from "./seed";
import { expect, open, test } from "./studio";
import { row, write } from "./words";

const seconds = 8;
const slope = 100; // Hz a second, so that the pitch of a take says where it is
const starts = [500, 1_500]; // Hz, of the first and of each later take

/** The built-in voice, whose takes are rising tones. */
const folder = mkdtempSync(join(tmpdir(), "voicewright-tones-"));
const program = execFileSync("sh", ["-c", "command -v espeak-ng"], { encoding: "utf8" }).trim();
writeFileSync(
  join(folder, "tone.cjs"),
  `const { existsSync, writeFileSync } = require("node:fs");
const spoken = ${JSON.stringify(join(folder, "spoken"))};
const from = existsSync(spoken) ? ${starts[1]} : ${starts[0]};
writeFileSync(spoken, "");
const rate = 22050, n = rate * ${seconds}, out = Buffer.alloc(44 + 2 * n);
out.write("RIFF", 0); out.writeUInt32LE(36 + 2 * n, 4); out.write("WAVEfmt ", 8);
out.writeUInt32LE(16, 16); out.writeUInt16LE(1, 20); out.writeUInt16LE(1, 22); out.writeUInt32LE(rate, 24);
out.writeUInt32LE(2 * rate, 28); out.writeUInt16LE(2, 32); out.writeUInt16LE(16, 34); out.write("data", 36);
out.writeUInt32LE(2 * n, 40);
for (let i = 0; i < n; i++) {
  const t = i / rate;
  out.writeInt16LE(Math.round(8000 * Math.sin(2 * Math.PI * (from * t + ${slope / 2} * t * t))), 44 + 2 * i);
}
process.stdout.write(out);
`,
);
const voice = join(folder, "espeak-ng");
writeFileSync(
  voice,
  `#!/bin/sh
case "$*" in *--stdout*) ;; *) exec ${program} "$@" ;; esac
cat > /dev/null
exec ${process.execPath} "${join(folder, "tone.cjs")}"
`,
);
chmodSync(voice, 0o755);
test.use({
  options: { env: { PATH: `${folder}:${process.env.PATH ?? ""}` } },
  bypassCSP: true, // for the recorder
});
test.afterAll(() => rmSync(folder, { recursive: true }));

/** An AudioWorklet loses nothing while the page is busy, unlike a ScriptProcessorNode. */
const recorder = `registerProcessor("recorder", class extends AudioWorkletProcessor {
  process([[samples]]) {
    if (samples) this.port.postMessage(samples);
    return true;
  }
});`;

/** Records what the page sends to the speakers, from the start of each AudioContext on. */
async function record(page: Page): Promise<void> {
  await page.addInitScript(
    (url) => {
      const heard: { rate: number; samples: number[] } = { rate: 0, samples: [] };
      Object.assign(window, { heard });
      const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
      async function tap(from: AudioNode, to: AudioDestinationNode): Promise<void> {
        await from.context.audioWorklet.addModule(url);
        const recorder = new AudioWorkletNode(from.context, "recorder");
        recorder.port.onmessage = ({ data }: MessageEvent<Float32Array>) => heard.samples.push(...data);
        connect.call(from, recorder);
        connect.call(recorder, to);
        heard.rate = from.context.sampleRate;
        heard.samples = [];
      }
      AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode) {
        if (to instanceof AudioDestinationNode && this.context instanceof AudioContext) void tap(this, to);
        return connect.call(this, to);
      } as typeof AudioNode.prototype.connect;
    },
    `data:text/javascript,${encodeURIComponent(recorder)}`,
  );
}
const recorded = (page: Page) =>
  page.evaluate(() => (window as unknown as { heard: { rate: number; samples: number[] } }).heard);
/** Drops what was recorded of other sounds: the take that follows loads before its AudioContext starts. */
const forget = (page: Page) =>
  page.evaluate(() => void ((window as unknown as { heard: { samples: number[] } }).heard.samples = []));
const secondsRecorded = async (page: Page) => {
  const { rate, samples } = await recorded(page);
  return samples.length / Math.max(1, rate);
};

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The pitch of a part in Hz, by its zero crossings, and its level. */
function part(samples: readonly number[], rate: number, from: number, length: number) {
  const some = samples.slice(Math.round(from * rate), Math.round((from + length) * rate));
  const rising = some.flatMap((x, i) => (x >= 0 && (some[i - 1] ?? 0) < 0 ? [i] : []));
  const [first = 0, last = 0] = [rising[0], rising.at(-1)];
  return {
    pitch: ((rising.length - 1) * rate) / Math.max(1, last - first),
    level: Math.sqrt(some.reduce((sum, x) => sum + x * x, 0) / some.length),
  };
}

test("changes between two takes at the same place without a gap, and uses one", async ({ studio, server }) => {
  await record(studio);
  await studio.reload();
  await write(studio, "The lamp was lit by hand.");
  await studio.getByRole("button", { name: "Generate" }).click();
  await expect(studio.getByRole("region", { name: "Player" }).getByRole("button", { name: /^Export / })).toBeVisible();
  interface Row {
    id: string;
    chunks: { take: number; takes: number }[];
  }
  const { items } = await ask<{ items: Row[] }>(server, "/history?full=true");
  const id = items[0]?.id ?? "";
  await ask(server, `/generate/${id}/chunks/0/regenerate`, { choose: false });

  await open(studio, "history");
  await row(studio, "The lamp was lit").click();
  await studio.getByRole("button", { name: "2 takes of passage 1" }).click();
  const takes = studio.getByRole("radiogroup", { name: "Takes of passage 1" });
  await expect(takes.getByText(/^Seed \d+$/)).toHaveCount(2);
  await expect(takes.getByText(/^\d+(\.\d)? s$/)).toHaveCount(2);
  const widths = await takes.locator(".p-take-wave").evaluateAll((waves) => waves.map((wave) => wave.clientWidth));
  expect(new Set(widths).size, "the waveforms have one width").toBe(1);
  await accessible(studio, "takes", '[aria-label="Passages"]');

  await takes.getByRole("radio", { name: /Take 1/ }).focus();
  await forget(studio);
  await studio.keyboard.press("Space");
  await expect(studio.getByText("Playing A, take 1")).toBeAttached();
  await expect.poll(() => secondsRecorded(studio)).toBeGreaterThan(1.5);
  await studio.keyboard.press("Control+Shift+B");
  await expect(studio.getByText("Playing B, take 2")).toBeAttached();
  const before = await secondsRecorded(studio);
  await expect.poll(() => secondsRecorded(studio)).toBeGreaterThan(before + 1.5);
  const { rate, samples } = await recorded(studio);

  const step = 0.05;
  const parts = Array.from({ length: Math.floor(samples.length / rate / step) }, (_, i) =>
    part(samples, rate, i * step, step),
  );
  const sounding = parts.findIndex(({ level }) => level > 0.01);
  const change = parts.findIndex(({ pitch }, i) => i > sounding + 1 && pitch > (starts[1] ?? 0));
  expect(change).toBeGreaterThan(sounding + 10);
  const [last, next] = [part(samples, rate, (change - 3) * step, step), part(samples, rate, (change + 2) * step, step)];
  const jump = (next.pitch - (starts[1] ?? 0) - (last.pitch - (starts[0] ?? 0))) / slope - 5 * step;
  print(`place after the change: ${(jump * 1_000).toFixed(0)} ms off`);
  expect(Math.abs(jump)).toBeLessThan(0.1); // it goes on where the other was

  const blocks = Array.from(
    { length: 300 },
    (_, i) => part(samples, rate, (change - 3) * step + i / 1_000, 0.004).level,
  );
  const quiet = blocks.filter((level) => level < last.level / 4).length;
  print(`longest possible gap: ${quiet} ms; level ${(Math.min(...blocks) / last.level).toFixed(2)} at least`);
  expect(quiet).toBe(0);

  await studio.keyboard.press("ArrowDown");
  await studio.keyboard.press("Enter");
  await expect(takes.getByRole("radio", { name: /Take 2/ })).toBeChecked();
  await expect
    .poll(async () => (await ask<Row>(server, `/history/${id}`)).chunks[0])
    .toMatchObject({ take: 1, takes: 2 });
});
