import { accessible } from "./axe";
import { forget, part, record, recorded, secondsRecorded } from "./heard";
import { ask } from "./seed";
import { expect, open, test } from "./studio";
import { toneSlope, toneStarts, toneVoice } from "./tone";
import { row, write } from "./words";

/** The built-in voice, whose takes are rising tones. */
const { folder, remove } = toneVoice();
test.use({
  options: { env: { PATH: `${folder}:${process.env.PATH ?? ""}` } },
  bypassCSP: true, // for the recorder
});
test.afterAll(remove);

const print = (line: string) => process.stdout.write(`${line}\n`);

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
  const change = parts.findIndex(({ pitch }, i) => i > sounding + 1 && pitch > toneStarts[1]);
  expect(change).toBeGreaterThan(sounding + 10);
  const [last, next] = [part(samples, rate, (change - 3) * step, step), part(samples, rate, (change + 2) * step, step)];
  const jump = (next.pitch - toneStarts[1] - (last.pitch - toneStarts[0])) / toneSlope - 5 * step;
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
