import { chance, fill } from "./seed";
import { expect, test as base } from "./studio";
import { paper } from "./words";

const chunkCount = 870;
const keys = 200;
const id = "01a1fc00-0000-7000-8000-000000000001";
const random = chance(3);
const words = "harbour lamp stone winter keeper engine morning window letter garden silver voice river".split(" ");
/** Passages of about 245 characters; each tenth has a pause, which is shown as a chip. */
const passages = Array.from({ length: chunkCount }, (_, i) => {
  const list = Array.from({ length: 33 }, () => words[Math.floor(random() * words.length)]);
  return `The ${list.join(" ")}${i % 10 === 0 ? " [pause 1s]" : ""}.`;
});
const text = passages.join("\n\n").slice(0, 199_000);

const test = base.extend({
  data: async ({ data }, give) => {
    const now = new Date().toISOString();
    const chunks = passages.map((passage, i) => ({
      text: passage.replace(" [pause 1s]", ""),
      start: i,
      end: i + 1,
      take: 0,
      takes: 1,
    }));
    await fill(data, {
      now,
      generations: [
        { id, text, status: "complete", progress: 1, duration: chunkCount, engine: "espeak", created_at: now, chunks },
      ],
      drafts: [{ name: "Long", content: { text, generation_id: id } }],
    });
    await give(data);
  },
});

/** Returns a value below which 95 % of the numbers are. */
const p95 = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? 0;

test("types and scrolls in 199,000 characters with marked passages, and prints how long that takes", async ({
  studio,
}) => {
  await expect(studio.getByText("199,000 characters")).toBeVisible();
  await expect(studio.locator(".st-mark").first()).toBeVisible();
  await studio.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    document.addEventListener(
      "keydown",
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel(); // a message is delivered after the frame was painted
          port1.onmessage = () => times.push(performance.now() - timeStamp);
          port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
  const devTools = await studio.context().newCDPSession(studio);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () =>
    ((await devTools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) *
    1000;

  await paper(studio).click();
  const before = await busy();
  for (let i = 0; i < keys; i++) await studio.keyboard.press(i % 6 === 5 ? "Space" : "e");
  const typing = ((await busy()) - before) / keys;
  await expect(studio.getByText("199,200 characters")).toBeVisible();
  const times = await studio.evaluate(() => (window as unknown as { times: number[] }).times);
  expect(times.length).toBe(keys);

  const frames = await studio.evaluate(async () => {
    const frame = document.querySelector(".cm-scroller");
    const lengths: number[] = [];
    let last = performance.now();
    for (let i = 0; i < 120; i++) {
      if (frame) frame.scrollTop += 400;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      lengths.push(performance.now() - last);
      last = performance.now();
    }
    return lengths.slice(1);
  });
  process.stdout.write(
    `typing: ${p95(times).toFixed(1)} ms from key to frame (p95), ${typing.toFixed(1)} ms of processor time a key; ` +
      `scrolling: ${p95(frames).toFixed(1)} ms a frame (p95)\n`,
  );
});
