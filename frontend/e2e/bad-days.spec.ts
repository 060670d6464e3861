import type { Page } from "@playwright/test";
import { accessible } from "./axe";
import { crowd, smallDisk } from "./disk";
import { expect, open, start, test, watch, type Server } from "./studio";
import { long, paper, row, sounds, write } from "./words";

const banner = (page: Page) => page.getByText(/^Voicewright isn’t responding\. Reconnecting automatically/);
const timeout = { timeout: 60_000 };

test("the program is killed while typing, and recovers", async ({ page, data }) => {
  const first = await start(data);
  const faults = watch(page, first);
  await page.goto(`${first.url}/#token=${first.token}`);
  await write(page, long(120_000));
  await page.getByRole("button", { name: /^(Speak|Generate)$/ }).click();
  await expect(page.getByRole("progressbar", { name: /^Passage (?!1 )\d+ of \d+/ })).toBeVisible(timeout);
  await first.kill();

  await expect(banner(page)).toBeVisible(timeout);
  await accessible(page, "banner of a lost connection");
  await paper(page).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Typed while nobody listened. ");
  await expect(paper(page)).toHaveText("Typed while nobody listened. ");
  await expect(page.getByText("Not saved yet. Retrying; your text is safe in this window.")).toBeVisible(timeout);

  const second = await start(data, { port: first.port });
  try {
    await expect(banner(page)).toBeHidden(timeout);
    await page.keyboard.type("And when it was back.");
    await expect(paper(page)).toHaveText("Typed while nobody listened. And when it was back.");
    await expect(page.getByText(/^Saved /)).toBeVisible(timeout);
    await expect(page.getByText("Voicewright was closed before this was finished.")).toBeVisible(timeout);
    await expect(page.getByText(/^Saved: \d+ of \d+ passages\./)).toBeVisible(timeout);
    await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();

    await open(page, "history");
    const made = row(page, long(40));
    await expect(made).toContainText("Voicewright was closed before this was finished.");
    await made.getByRole("button", { name: "Continue" }).click();
    await expect(made.getByRole("progressbar")).toBeVisible();
    await made.getByRole("button", { name: "Stop" }).click();
    await expect(made.getByRole("img", { name: "Stopped" })).toBeVisible(timeout);

    await page.reload();
    await open(page, "studio");
    await expect(paper(page)).toHaveText("Typed while nobody listened. And when it was back.");
    expect(faults).toEqual([]);
  } finally {
    await second.stop();
  }
});

test("the disk becomes full during a generation, which succeeds once there is space", async ({ page, data }) => {
  const disk = smallDisk(data, 64);
  let server: Server | undefined;
  try {
    server = await start(data, { within: disk.within });
    const faults = watch(page, server);
    await page.goto(`${server.url}/#token=${server.token}`);
    await write(page, "This was made before.");
    await page.keyboard.press("Control+Enter");
    await sounds(page);
    const make = await crowd(disk.seen(server.pid), 3_000_000);

    await write(page, long(4000)); // some 280 seconds of audio: 24 MB while it is generated
    await page.keyboard.press("Control+Enter");
    const alert = page.getByRole("alert").filter({ hasText: "There isn’t enough disk space." });
    await expect(alert).toBeVisible(timeout);
    await expect(alert).toContainText("Free some space or choose another folder, then try again.");
    await open(page, "history");
    await expect(row(page, "This was made before.").getByRole("button", { name: /^(Play|Pause)$/ })).toBeVisible();
    const failed = row(page, long(40));
    await expect(failed).toContainText("There isn’t enough disk space.");

    await make();
    await failed.getByRole("button", { name: "Continue" }).click();
    await expect(failed.getByRole("button", { name: /^(Play|Pause)$/ })).toBeVisible(timeout);
    await page.reload();
    await open(page, "studio");
    await expect(paper(page)).toContainText(long(40));
    expect(faults).toEqual([]);
  } finally {
    await server?.stop();
    disk.close();
  }
});

test("without a token the page asks for it, reports a wrong one, and continues", async ({ page, server }) => {
  const faults = watch(page, server);
  await page.goto(`${server.url}/#/history?tab=scripts`);
  const field = page.getByLabel("Access token");
  await expect(field).toBeVisible();
  await expect(page.getByText("That token is incorrect.")).toBeHidden();
  await accessible(page, "token screen");
  await field.fill("wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page.getByText("That token is incorrect.")).toBeVisible();
  await accessible(page, "token screen that refused one");
  await field.fill(server.token);
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page.getByText("No scripts yet")).toBeVisible();
  expect(page.url()).toBe(`${server.url}/#/history?tab=scripts`);
  await page.reload();
  await expect(page.getByText("No scripts yet")).toBeVisible();
  expect(faults).toEqual([]);
});

test("a token is removed from the address, also a wrong one", async ({ page, server }) => {
  await page.goto(`${server.url}/#token=${server.token}`);
  await expect(paper(page)).toBeVisible();
  expect(page.url()).not.toContain(server.token);
  await open(page, "settings");
  await page.goBack();
  expect(page.url()).not.toContain("token");

  await page.goto(`${server.url}/?again#token=${server.token}x`);
  await expect(page.getByText("That token is incorrect.")).toBeVisible();
  expect(page.url()).not.toContain(server.token);
});

test("when the token changes while the page is open it is requested, and no typed text is lost", async ({
  page,
  data,
}) => {
  const first = await start(data);
  await page.goto(`${first.url}/#token=${first.token}`);
  await write(page, "Written under the old token.");
  await expect(page.getByText(/^Saved /)).toBeVisible();
  await first.stop();
  const second = await start(data, { port: first.port, args: ["--token", "another-token-of-this-server"] });
  try {
    const field = page.getByLabel("Access token");
    await expect(field).toBeVisible(timeout);
    await expect(page.getByText(/needs its new access token/)).toBeVisible();
    await field.fill(second.token);
    await page.getByRole("button", { name: "Open" }).click();
    await expect(paper(page)).toHaveText("Written under the old token.");
  } finally {
    await second.stop();
  }
});
