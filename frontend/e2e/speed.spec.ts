import { part, record, recorded, secondsRecorded } from "./heard";
import { expect, test } from "./studio";
import { toneSlope, toneVoice } from "./tone";
import { write } from "./words";

const { folder, hold, release, remove } = toneVoice(["Second"], 30); // a slow machine must not reach the end
test.use({
  options: { env: { PATH: `${folder}:${process.env.PATH ?? ""}` } },
  bypassCSP: true, // for the recorder
});
test.afterAll(remove);

const step = 0.1; // seconds

test("changes the speed while a generation is made, without a gap, and keeps it for the file", async ({ studio }) => {
  hold("Second");
  await record(studio);
  await studio.reload();
  await write(studio, "The lamp was lit by hand.\n\nSecond, it was put out.");
  await studio.getByRole("button", { name: "Generate" }).click();
  const player = studio.getByRole("region", { name: "Player" });
  await expect(player.getByText(/so far$/)).toBeVisible();
  await expect.poll(() => secondsRecorded(studio)).toBeGreaterThan(1.5);
  await player.getByRole("button", { name: "Speed 1.0×" }).click();
  await studio.getByRole("menuitemcheckbox", { name: "2.0×" }).click();
  const before = await secondsRecorded(studio);
  await expect.poll(() => secondsRecorded(studio)).toBeGreaterThan(before + 1.5);

  const recording = recorded(studio);
  release("Second"); // espeak-ng is ended where it is silent for 10 s, which reading the recording can take on a busy machine
  const { rate, samples } = await recording;
  const parts = Array.from({ length: Math.floor(samples.length / rate / step) }, (_, i) =>
    part(samples, rate, i * step, step),
  );
  const first = parts.findIndex(({ level }) => level > 0.05);
  const sounding = parts.slice(first + 1, -1);
  expect(Math.min(...sounding.map(({ level }) => level)), "no gap").toBeGreaterThan(0.9 * (sounding[0]?.level ?? 1));
  const speeds = sounding.slice(1).map(({ pitch }, i) => (pitch - (sounding[i]?.pitch ?? 0)) / step / toneSlope);
  const average = (some: number[]) => some.reduce((sum, speed) => sum + speed, 0) / some.length;
  expect(average(speeds.slice(0, 10))).toBeCloseTo(1, 1);
  expect(average(speeds.slice(-10))).toBeCloseTo(2, 0);

  await expect(player.getByText(/so far$/)).toBeHidden();
  await expect(player.getByRole("button", { name: /^Export (?!options)/ })).toBeVisible();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(player.getByRole("button", { name: "Speed 2.0×" })).toBeVisible();
});
