import type { CDPSession, Page } from "@playwright/test";
import { chance, fill } from "./seed";
import { expect, test as base } from "./studio";
import { paper } from "./words";

const chunkCount = 870;
const keys = 200;
const held = 40; // milliseconds
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

/** Notes the time from each key press to the frame that shows it. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
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
}

/** Types at the pace of a fast person: the browser prefers input to frames, so keys without a pause only fill its queue. */
async function type(page: Page, devTools: CDPSession): Promise<{ toFrame: number; busy: number }> {
  const taken = async () =>
    ((await devTools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) *
    1000;
  const read = () => page.evaluate(() => (window as unknown as { times: number[] }).times.splice(0));
  await read();
  const before = await taken();
  for (let i = 0; i < keys; i++) await page.keyboard.press(i % 6 === 5 ? "Space" : "e", { delay: held });
  const busy = ((await taken()) - before) / keys;
  const times = await read();
  expect(times.length).toBe(keys);
  return { toFrame: p95(times), busy };
}

const scroll = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
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

test("types and scrolls in 199,000 characters with marked passages, and prints how long that takes", async ({
  studio,
}) => {
  await expect(studio.getByText("199,000 characters")).toBeVisible();
  await expect(studio.locator(".st-mark").first()).toBeVisible();
  const devTools = await studio.context().newCDPSession(studio);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
  await watchKeys(studio);
  await paper(studio).click();
  const long = await type(studio, devTools);
  await expect(studio.getByText("199,200 characters")).toBeVisible();
  const frames = await scroll(studio);

  // What the browser and the test alone take: a field on an empty page.
  await studio.evaluate(() => {
    const field = document.createElement("textarea");
    document.body.replaceChildren(field);
    field.focus();
  });
  const bare = await type(studio, devTools);
  process.stdout.write(
    `typing: ${long.toFrame.toFixed(1)} ms from key to frame (p95), in an empty page ${bare.toFrame.toFixed(1)} ms; ` +
      `${long.busy.toFixed(1)} ms of processor time a key, in an empty page ${bare.busy.toFixed(1)} ms; ` +
      `scrolling: ${p95(frames).toFixed(1)} ms a frame (p95)\n`,
  );
});
