import type { Browser } from "@playwright/test";
import { ask } from "./seed";
import { expect, open, test, watch, type Server } from "./studio";
import { long, paper, row, sounds, write } from "./words";

/** A second window on the same program, with storage of its own. */
async function window(browser: Browser, server: Server, screen: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const streams: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/events") streams.push(request.url());
  });
  const faults = watch(page, server);
  await page.goto(`${server.url}/#token=${server.token}`);
  await open(page, screen);
  return { page, streams, faults, close: () => context.close() };
}

test("shows in one window what another one generates", async ({ browser, server }) => {
  const [a, b] = [await window(browser, server, "studio"), await window(browser, server, "history")];
  await write(a.page, long(30_000));
  await a.page.keyboard.press("Control+Enter");
  const line = row(b.page, "Sentence number 1 of a long text");
  await expect(line).toBeVisible({ timeout: 10_000 });
  for (const { page } of [a, b]) await expect(page.getByRole("button", { name: "1 job" })).toBeVisible();
  await expect(line.getByRole("progressbar")).toBeVisible();
  const progress = async () => Number(await line.getByRole("progressbar").getAttribute("aria-valuenow"));
  await expect.poll(progress).toBeGreaterThan(0);
  await sounds(a.page); // it plays while it is made
  await expect(line.getByRole("button", { name: "Play" })).toBeVisible({ timeout: 60_000 });
  for (const { page } of [a, b]) await expect(page.getByRole("button", { name: /job/ })).toHaveCount(0);
  expect(a.streams).toHaveLength(1);
  expect(b.streams).toHaveLength(1);
  expect([...a.faults, ...b.faults]).toEqual([]);
  await a.close();
  await b.close();
});

test("loses neither text when two windows edit one draft", async ({ browser, server }) => {
  const a = await window(browser, server, "studio");
  await write(a.page, "A draft that two windows share.");
  interface Draft {
    name: string;
    content: { text: string };
  }
  const texts = async () =>
    (await ask<{ items: Draft[] }>(server, "/drafts")).items.map((draft) => draft.content.text).sort();
  await expect.poll(texts).toEqual(["A draft that two windows share."]);
  const b = await window(browser, server, "studio");
  await expect(paper(b.page)).toContainText("A draft that two windows share.");
  await write(a.page, "What the first window wrote.");
  await expect.poll(texts).toEqual(["What the first window wrote."]);
  await write(b.page, "What the second window wrote.");
  await expect.poll(texts).toEqual(["What the first window wrote.", "What the second window wrote."]);
  await expect(paper(a.page)).toContainText("What the first window wrote.");
  await expect(paper(b.page)).toContainText("What the second window wrote.");
  await expect(b.page.getByText(/was changed in another window\. Your version was saved as/)).toBeVisible();
  await b.page.keyboard.type(" And more of it.");
  await expect.poll(texts).toEqual(["What the first window wrote.", "What the second window wrote. And more of it."]);
  expect([...a.faults, ...b.faults]).toEqual([]);
  await a.close();
  await b.close();
});
