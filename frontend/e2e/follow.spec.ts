import type { Locator, Page } from "@playwright/test";
import { expect, open, test as base } from "./studio";
import { imagineTranscripts } from "./transcripts";
import { paper, write } from "./words";

const test = base.extend<{ view: Page }>({
  view: async ({ studio }, give) => {
    await studio.addInitScript(() => {
      const play = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function () {
        Object.assign(window, { playing: this });
        return play.call(this);
      };
    });
    await studio.reload();
    await give(studio);
  },
});
test.slow(); // a chapter is generated and heard

/** Returns a chapter in paragraphs; the sentences have numbers. */
function chapter(characters: number): string {
  let text = "";
  for (let i = 1; text.length < characters; i += 1)
    text += `Sentence ${String(i)} of the chapter is read aloud by a patient voice.${i % 6 === 0 ? "\n\n" : " "}`;
  return text.slice(0, characters).trim();
}

const bar = (page: Page) => page.getByRole("region", { name: "Player" });
const position = (page: Page) => bar(page).getByRole("slider", { name: "Position" });
const seconds = async (page: Page) => Number(await position(page).getAttribute("aria-valuenow"));
const back = (page: Page) => page.getByRole("button", { name: "Back to current passage" });

/** Plays from a part of the audio, 0 to 1. */
async function seek(page: Page, part: number): Promise<void> {
  const { width, height } = (await position(page).boundingBox()) ?? { width: 0, height: 0 };
  await position(page).click({ position: { x: width * part, y: height / 2 } });
}

/** Plays audio that waits: what was heard to its end before the file of all turns was there. */
async function goOn(page: Page): Promise<void> {
  const play = bar(page).getByRole("button", { name: "Play", exact: true });
  if (await play.isVisible()) await play.click();
}

/** Reports whether a line of what is heard is in the visible part of the text. */
const isInSight = (heard: Locator) =>
  heard.evaluateAll((all) => {
    const scrolls = (element: Element | null): Element =>
      element === null || /auto|scroll/.test(getComputedStyle(element).overflowY)
        ? (element ?? document.documentElement)
        : scrolls(element.parentElement);
    return all.some((one) => {
      const frame = scrolls(one.parentElement).getBoundingClientRect();
      return [...one.getClientRects()].some(({ top, bottom }) => top >= frame.top && bottom <= frame.bottom);
    });
  });

/** Waits until a line of what is heard is in the visible part of the text. */
const expectInSight = (heard: Locator) => expect.poll(() => isInSight(heard)).toBe(true);

const top = (frame: Locator) => frame.evaluate((element) => element.scrollTop);

/** Returns once a later second is heard. */
async function hearMore(page: Page, by = 2): Promise<void> {
  const from = await seconds(page);
  await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(from + by);
}

test("a chapter is heard to its end with its passage in sight", async ({ view }) => {
  const heard = view.locator(".st-now");
  await write(view, chapter(14_000));
  await view.getByRole("button", { name: "Generate" }).click();
  await expectInSight(heard); // while the rest is made
  await expect(bar(view).getByRole("button", { name: /^Export (?!options)/ })).toBeVisible({ timeout: 120_000 });
  await seek(view, 0.01);
  await view.evaluate(() => ((window as unknown as { playing: HTMLMediaElement }).playing.playbackRate = 12));
  const passages = new Set<string | null>();
  const pause = bar(view).getByRole("button", { name: "Pause" });
  for (;;) {
    if (!(await pause.isVisible())) break; // the end was heard
    await expect.poll(async () => (await isInSight(heard)) || !(await pause.isVisible())).toBe(true);
    const mark = view.locator('.st-mark[data-state="playing"]').first();
    passages.add(await mark.getAttribute("data-chunk", { timeout: 2_000 }).catch(() => null));
    await view.waitForTimeout(250); // between two looks
  }
  expect(passages.size).toBeGreaterThan(10);
  const length = Number(await position(view).getAttribute("aria-valuemax"));
  expect(await seconds(view)).toBeGreaterThan(length - 2);
});

test("the text stays where the person scrolls, until the button is pressed or another place is played", async ({
  view,
}) => {
  await view.setViewportSize({ width: 1280, height: 560 });
  const heard = view.locator(".st-now");
  const frame = view.locator(".cm-scroller");
  await write(view, chapter(4_000));
  await view.getByRole("button", { name: "Generate" }).click();
  await expect(bar(view).getByRole("button", { name: /^Export (?!options)/ })).toBeVisible({ timeout: 120_000 });
  const ways: [string, () => Promise<void>][] = [
    [
      "wheel",
      async () => {
        await frame.hover();
        await view.mouse.wheel(0, -3000);
      },
    ],
    [
      "keys",
      async () => {
        await paper(view).click();
        await view.keyboard.press("Control+Home");
      },
    ],
    [
      "writing",
      async () => {
        await paper(view).focus();
        await view.keyboard.type("x");
      },
    ],
  ];
  for (const [name, leave] of ways) {
    await test.step(name, async () => {
      await seek(view, 0.8);
      await expectInSight(heard);
      await leave();
      await expect(back(view)).toBeVisible();
      const left = await top(frame);
      await hearMore(view);
      expect(await top(frame)).toBe(left);
      await back(view).click();
      await expect(back(view)).toBeHidden();
      await expectInSight(heard);
    });
  }
  await frame.hover();
  await view.mouse.wheel(0, -3000);
  await expect(back(view)).toBeVisible();
  await seek(view, 0.5);
  await expect(back(view)).toBeHidden();
  await expectInSight(heard);

  await bar(view).getByRole("button", { name: "Pause" }).click();
  await frame.hover();
  await view.mouse.wheel(0, -3000);
  await expect.poll(() => top(frame)).toBe(0);
  await seek(view, 0.9);
  await expect.poll(() => seconds(view)).toBeGreaterThan(100);
  expect(await top(frame)).toBe(0);
  await expect(back(view)).toBeHidden();
});

test("Script follows its turns", async ({ view }) => {
  await view.setViewportSize({ width: 1280, height: 560 });
  await open(view, "script");
  const lines = Array.from({ length: 16 }, (_, i) => `${i % 2 ? "Ben" : "Anna"}: Turn ${String(i + 1)} is short.`);
  await view.getByRole("textbox", { name: /^Turn 1,/ }).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, lines.join("\n"));
  await view.getByRole("button", { name: "Generate all" }).first().click();
  const length = async () => Number(await position(view).getAttribute("aria-valuemax"));
  await expect.poll(length, { timeout: 120_000 }).toBeGreaterThan(20); // the file of all turns
  const heard = view.locator('li[aria-current="true"]');
  for (const part of [0.02, 0.3, 0.6, 0.97, 0.1, 0.8]) {
    await seek(view, part);
    await goOn(view);
    await expectInSight(heard);
  }
  await heard.hover();
  await view.mouse.wheel(0, -3000);
  await expect(back(view)).toBeVisible();
  await back(view).click();
  await expectInSight(heard);
});

test("Transcribe follows its sentences", async ({ view }) => {
  await view.setViewportSize({ width: 1100, height: 420 });
  const id = await imagineTranscripts(view);
  await open(view, `transcribe/${id}`);
  await view.locator("[data-word]").first().click();
  const heard = view.locator("[data-segment]:has([data-now]), [data-segment][data-now]");
  for (const part of [0.9, 0.05, 0.5, 0.7]) {
    await seek(view, part);
    await expectInSight(heard);
  }
  await view.locator(".tr-paper").hover();
  await view.mouse.wheel(0, -3000);
  await expect(back(view)).toBeVisible();
  await hearMore(view);
  expect(await top(view.locator(".tr-paper"))).toBe(0);
  await back(view).click();
  await expectInSight(heard);
});
