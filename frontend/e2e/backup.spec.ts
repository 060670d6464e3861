import { readFile } from "node:fs/promises";
import { ask } from "./seed";
import { expect, open, test } from "./studio";

const update = {
  current: "1.3.0",
  status: "newer",
  version: "1.4.0",
  date: "2026-11-20",
  page: "https://example.org/download",
  notes: "Faster.\n<b>More</b> voices.",
};

test("a backup is saved, and restored over a changed library", async ({ studio, server }) => {
  await ask(server, "/pronunciations", { word: "Grieg", respelling: "Greeg" });
  await open(studio, "settings/storage");
  await studio.getByRole("button", { name: "Back up…" }).click();
  const question = studio.getByRole("dialog", { name: "Back up the library" });
  await expect(question).toContainText(/About [\d.]+ [kM]?B/);
  const download = studio.waitForEvent("download");
  await question.getByRole("button", { name: "Save backup" }).click();
  const file = await (await download).path();
  expect((await readFile(file)).subarray(0, 2).toString()).toBe("PK");
  await expect(studio.getByText("Backup saved")).toBeVisible();

  await ask(server, "/pronunciations", { word: "Dvořák", respelling: "Dvorzhak" });
  const field = studio.getByLabel("Backup to restore");
  await field.setInputFiles({ name: "letter.zip", mimeType: "application/zip", buffer: Buffer.from("no backup") });
  await expect(studio.getByRole("alert")).toContainText("This file isn’t a complete backup.");

  await field.setInputFiles(file);
  const restore = studio.getByRole("dialog", { name: "Replace the library with this backup?" });
  await expect(restore.getByRole("row", { name: "Pronunciations 1 2" })).toBeVisible();
  await expect(restore).toContainText("before-restore");
  await studio.keyboard.press("Escape");
  await expect(restore).toBeHidden();
  await field.setInputFiles(file);
  const reloaded = studio.waitForEvent("load");
  await restore.getByRole("button", { name: "Replace library" }).click();
  await reloaded;
  await open(studio, "settings/storage");
  await field.setInputFiles(file);
  await expect(restore.getByRole("row", { name: "Pronunciations 1 1" })).toBeVisible();
});

test("the check for a new version is hidden without an address, and asks only on a click", async ({ studio }) => {
  await open(studio, "settings/about");
  await expect(studio.getByText("Licences", { exact: true })).toBeVisible();
  await expect(studio.getByText("New versions")).toBeHidden();

  let asked = 0;
  await studio.route("**/updates", (route) => route.fulfill({ json: { address: "https://example.org/updates.json" } }));
  await studio.route("**/updates/check", (route) => {
    asked++;
    return route.fulfill({ json: update });
  });
  await studio.reload();
  const check = studio.getByRole("button", { name: "Check now" });
  await expect(check).toBeVisible();
  expect(asked).toBe(0);
  await check.focus();
  await studio.keyboard.press("Enter");
  await expect(studio.getByText("Version 1.4.0 is available")).toBeVisible();
  await expect(studio.getByText("<b>More</b> voices.")).toBeVisible();
  await studio.context().route("https://example.org/**", (route) => route.fulfill({ body: "The page" }));
  const popup = studio.waitForEvent("popup");
  await studio.getByRole("button", { name: "Open the download page" }).click();
  await expect(await popup).toHaveURL(update.page);
  expect(asked).toBe(1);
});
