import type { Page } from "@playwright/test";
import { dropFiles } from "./drop";
import { ask } from "./seed";
import { expect, open, test } from "./studio";
import { paper, write } from "./words";

interface Draft {
  name: string;
  content: { kind?: string; text?: string; named?: boolean };
}

const two = ["Anna: Hi, Ben.", "Ben: Hello - at last.", "Anna: Bye."];
const forms: readonly (readonly [string, string])[] = [
  ["hyphens", "Anna - Hi, Ben.\nBen - Hello - at last.\nAnna - Bye."],
  ["dashes", "Anna — Hi, Ben.\nBen – Hello - at last.\nAnna — Bye."],
  ["tabs", "Anna\tHi, Ben.\nBen\tHello - at last.\nAnna\tBye."],
  ["numbers", "1. Anna: Hi, Ben.\n2) Ben: Hello - at last.\n3. Anna: Bye."],
  ["brackets", "[Anna] Hi, Ben.\n[Ben] Hello - at last.\n[Anna] Bye."],
  ["brackets with colons", "[Anna]: Hi, Ben.\n[Ben]: Hello - at last.\n[Anna]: Bye."],
  ["a quotation", "> Anna: Hi, Ben.\n> Ben: Hello - at last.\n> Anna: Bye."],
  ["voice tags", "<v Anna>Hi, Ben.\n<v.loud Ben>Hello - at last.</v>\n<v Anna>Bye."],
  ["CSV", '\ufeffspeaker,text\r\nAnna,"Hi, Ben."\r\nBen,Hello - at last.\r\nAnna,Bye.\r\n'],
  ["CSV with semicolons", "Sprecher;Text\nAnna;Hi, Ben.\nBen;Hello - at last.\nAnna;Bye."],
];

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press("Control+V");
}

/** Returns the turns of the open script, as "Name: text". */
const turns = (page: Page) =>
  page
    .getByRole("textbox", { name: /^Turn \d/ })
    .evaluateAll((fields) =>
      fields.map((field) =>
        `${(field.getAttribute("aria-label") ?? "").replace(/^Turn \d+, /, "")}: ${(field as HTMLTextAreaElement).value}`.trim(),
      ),
    );

test("a script is pasted in the forms that people write it in", async ({ studio }) => {
  test.slow();
  for (const [form, text] of forms) {
    await open(studio, `script?new=${form.replaceAll(" ", "")}`);
    const first = studio.getByRole("textbox", { name: /^Turn 1/ });
    await expect(first).toHaveValue("");
    await first.click();
    await paste(studio, text);
    await expect.poll(() => turns(studio), form).toEqual(two);
    await expect(studio.getByRole("dialog")).toBeHidden();
    await studio.keyboard.press("Control+Z");
    await expect.poll(() => turns(studio), form).toEqual(["Host:"]);
  }
});

test("what was pasted is decided name by name, and what is not spoken is shown", async ({ studio }) => {
  await open(studio, "script?new=a");
  await studio.getByRole("textbox", { name: /^Turn 1/ }).click();
  await paste(
    studio,
    "EPISODE 5: The Ledger\n*[Intro music]*\nAnna: Hi.\nBen: Yes.\nAnna: Good.\nRemember: The keys are here.\nBen: Bye.",
  );
  const dialog = studio.getByRole("dialog", { name: "Check the pasted script" });
  await expect(dialog.getByText("This name appears only once. Treat it as a speaker?")).toBeVisible();
  await expect(dialog.getByRole("checkbox", { name: "Remember: The keys are here." })).not.toBeChecked();
  await expect(dialog.getByRole("checkbox", { name: "Anna" })).toBeChecked();
  await expect(dialog.getByRole("list", { name: "Left out" })).toHaveText("*[Intro music]*");
  await dialog.getByRole("checkbox", { name: "Ben" }).uncheck();
  await dialog.getByRole("checkbox", { name: "Ben" }).check();
  await dialog.getByRole("button", { name: "Insert 4 turns" }).click();
  await expect
    .poll(() => turns(studio))
    .toEqual(["Anna: Hi.", "Ben: Yes.", "Anna: Good. Remember: The keys are here.", "Ben: Bye."]);
  await expect(studio.getByRole("textbox", { name: "Title" })).toHaveValue("EPISODE 5: The Ledger");
  await studio.keyboard.press("Control+Z");
  await expect.poll(() => turns(studio)).toEqual(["Host:"]);
});

test("a draft that is only looked at in the other view stays as it is stored", async ({ studio, server }) => {
  const stored = async () =>
    (await ask<{ items: Draft[] }>(server, "/drafts")).items.map(({ content }) => content.kind ?? content.text);
  await write(studio, "Anna: Hello.\n\nBen: Yes.");
  await expect.poll(stored).toEqual(["Anna: Hello.\n\nBen: Yes."]);
  await studio.getByRole("radio", { name: "Script" }).click();
  await expect(studio.getByRole("textbox", { name: "Turn 2, Ben" })).toHaveValue("Yes.");
  await studio.reload();
  await expect(studio.getByRole("textbox", { name: "Turn 2, Ben" })).toHaveValue("Yes.");
  await open(studio, "history");
  await open(studio, "studio");
  await expect(paper(studio)).toContainText("Ben: Yes.");
  expect(await stored()).toEqual(["Anna: Hello.\n\nBen: Yes."]);

  await studio.getByRole("radio", { name: "Script" }).click();
  await studio.getByRole("textbox", { name: "Turn 2, Ben" }).fill("No.");
  await expect.poll(stored).toEqual(["script"]);
  await studio.getByRole("radio", { name: "Text" }).click();
  await expect(paper(studio)).toContainText("Ben: No.");
  await open(studio, "history");
  expect(await stored()).toEqual(["script"]);
});

test("a dropped text has the name that it has when it is pasted, and two of one name can be told apart", async ({
  studio,
  server,
}) => {
  const names = async () => (await ask<{ items: Draft[] }>(server, "/drafts")).items.map(({ name }) => name).sort();
  await write(studio, "The Ledger\n\nIt rained.");
  await expect.poll(names).toEqual(["The Ledger"]);
  const file = (name: string, text: string) => ({ name, type: "text/plain", bytes: Buffer.from(text) });
  await dropFiles(studio, [
    file("ch1.txt", "Chapter One\n\nIt rained."),
    file("ch2.txt", "The Ledger\n\nIt snowed."),
    file("ch3.md", "---\ntitle: A walk\n---\n\nIt was late."),
  ]);
  await expect.poll(names).toEqual(["A walk", "Chapter One", "The Ledger", "The Ledger (ch2)"]);
});
