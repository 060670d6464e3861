import type { Page } from "@playwright/test";
import { expect, open, test } from "./studio";
import { heldVoice } from "./voice";
import { paper, row, write } from "./words";

const { folder, hold, release, remove } = heldVoice(["Second", "Third"]);

test.use({ options: { env: { PATH: `${folder}:${process.env.PATH ?? ""}` } } });
test.afterAll(remove);

/** Generates three passages, of which the third one is held. */
async function generateTwoOfThree(studio: Page): Promise<void> {
  hold("Third");
  const words = "is read aloud while the others are made";
  await write(studio, `The first passage ${words}.\n\nAnother passage ${words}.\n\nThird, this one ${words}.`);
  await expect(studio.getByText(/^Saved /)).toBeVisible();
  await studio.getByRole("button", { name: "Generate" }).click();
}

test("plays a generation while it is made, waits for speech, seeks, and goes on with the file", async ({ studio }) => {
  hold("Second");
  hold("Third");
  const words = "is read aloud while the others are made";
  await write(studio, `The first passage ${words}.\n\nSecond, this passage ${words}.\n\nThird, this one ${words}.`);
  await expect(studio.getByText(/^Saved /)).toBeVisible();
  await studio.getByRole("button", { name: "Generate" }).click();

  const player = studio.getByRole("region", { name: "Player" });
  const position = player.getByRole("slider", { name: "Position" });
  await expect(player.getByText(/^0:0\d so far$/)).toBeVisible();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(studio.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
  await expect(studio.locator('.st-mark[data-state="playing"]')).toHaveCount(1);
  await expect(studio.locator('.st-mark[data-state="generating"]')).toHaveCount(2);
  await expect(player.getByRole("status")).toHaveText(/^Waiting for speech, continues at 0:0[2-4]$/);

  await position.press("Home"); // what is there can be heard again
  await expect(player.getByRole("status")).toBeHidden();
  await expect(position).toHaveAttribute("aria-valuetext", /^0:0[0-2] /);
  await player.getByRole("button", { name: "Pause" }).click();
  release("Second");
  await expect(player.getByText(/^0:0[5-8] so far$/)).toBeVisible();
  await player.getByRole("button", { name: "Play", exact: true }).click();
  release("Third");

  await expect(player.getByRole("button", { name: /^Export (?!options)/ })).toBeVisible();
  await expect(player.getByText(/so far$/)).toBeHidden();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(position).toHaveAttribute("aria-valuetext", /^0:0[1-9] \/ 0:(0[7-9]|1\d)$/);
});

test("plays a changed text from its first new passage on while the next one is made", async ({ studio }) => {
  const words = "is read aloud while the others are made";
  const [first, last] = [`The first passage ${words}.`, `The last passage ${words}.`];
  await write(studio, [first, "An old one.", "Another old one.", last].join("\n\n"));
  await studio.getByRole("button", { name: "Generate" }).click();
  const player = studio.getByRole("region", { name: "Player" });
  await expect(player.getByRole("button", { name: /^Export (?!options)/ })).toBeVisible();
  await player.getByRole("button", { name: "Pause" }).click();

  hold("Third");
  await write(studio, [first, `This one is new and ${words}.`, "Third, a new one.", last].join("\n\n"));
  await studio.getByRole("button", { name: "Generate 2 passages" }).click();
  const position = player.getByRole("slider", { name: "Position" });
  await expect(player.getByText(/so far$/)).toBeVisible();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(position).toHaveAttribute("aria-valuetext", /^0:0[2-6] /); // not the first passage
  await expect(player.getByRole("status")).toHaveText(/^Waiting for speech, continues at 0:0[5-9]$/);
  release("Third");
  await expect(player.getByText(/so far$/)).toBeHidden();
  await expect(player.getByRole("button", { name: /^Export (?!options)/ })).toBeVisible();
  await expect(studio.getByText("2 passages generated. The others are unchanged.")).toBeVisible();
});

test("plays what is finished of a stopped generation, and goes on there when it is continued", async ({ studio }) => {
  await generateTwoOfThree(studio);
  const player = studio.getByRole("region", { name: "Player" });
  await expect(player.getByText(/^0:0[4-7] so far$/)).toBeVisible();
  await studio.keyboard.press("Space"); // pauses; it does not press the button that was clicked
  await expect(player.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await player.getByRole("button", { name: "Close the player" }).click();
  await studio.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(studio.getByText("Stopped. 2 of 3 passages are saved.")).toBeVisible();

  await studio.getByRole("button", { name: "Listen" }).click();
  await expect(player.getByText(/^0:0[4-7] so far$/)).toBeVisible();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(player.getByRole("button", { name: /^Export / })).toBeHidden();
  await expect(player.getByRole("button", { name: "Play", exact: true })).toBeVisible(); // all of it was heard
  await open(studio, "history");
  const stopped = row(studio, "The first passage");
  await stopped.getByRole("button", { name: "Play", exact: true }).click();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  release("Third");
  await stopped.getByRole("button", { name: "Continue" }).click();
  await expect(player.getByRole("button", { name: /^Export (?!options)/ })).toBeVisible();
});

test("a generation that is made is heard after a reload, in a second window and after the player was closed", async ({
  studio,
  server,
}) => {
  await generateTwoOfThree(studio);
  await expect(studio.getByRole("region", { name: "Player" }).getByText(/^0:0[4-7] so far$/)).toBeVisible();
  await expect(studio.locator('.st-mark[data-state="generating"]')).toHaveCount(1);

  const second = await studio.context().newPage();
  await second.goto(`${server.url}/#token=${server.token}`);
  await studio.reload();
  for (const page of [studio, second]) {
    const player = page.getByRole("region", { name: "Player" });
    const position = player.getByRole("slider", { name: "Position" });
    const isPlaying = () => expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
    await expect(player.getByText(/^0:0[4-7] so far$/)).toBeVisible();
    await expect(player.getByRole("button", { name: "Play", exact: true })).toBeVisible(); // it waits for a click
    await page.locator('.st-mark[data-chunk="1"]').click();
    await isPlaying();
    await expect(position).toHaveAttribute("aria-valuetext", /^0:0[2-5] /);
    await expect(page.locator('.st-mark[data-state="playing"]')).toHaveAttribute("data-chunk", "1");

    await player.getByRole("button", { name: "Close the player" }).click();
    await page.locator('.st-mark[data-chunk="2"]').click(); // has no sound yet
    await expect(player).toBeHidden();
    await paper(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+Shift+Enter");
    await isPlaying();
    await expect(position).toHaveAttribute("aria-valuetext", /^0:0[0-2] /);
    await player.getByRole("button", { name: "Pause" }).click();
  }
  release("Third");
  for (const page of [studio, second])
    await expect(page.getByRole("button", { name: /^Export (?!options)/ })).toBeVisible();
  await second.close();
});

test("the finished passages of a stopped generation have marks that play them, until they are discarded", async ({
  studio,
}) => {
  await generateTwoOfThree(studio);
  const player = studio.getByRole("region", { name: "Player" });
  await expect(player.getByText(/^0:0[4-7] so far$/)).toBeVisible();
  await studio.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(studio.getByText("Stopped. 2 of 3 passages are saved.")).toBeVisible();
  await expect(studio.locator(".st-mark")).toHaveCount(2);

  await studio.reload();
  await expect(studio.locator('.st-mark[data-state="sound"]')).toHaveCount(2);
  await studio.locator('.st-mark[data-chunk="1"]').click();
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(studio.locator('.st-mark[data-state="playing"]')).toHaveAttribute("data-chunk", "1");
  await studio.getByRole("button", { name: "Discard" }).click();
  await expect(player).toBeHidden();
  await expect(studio.locator(".st-mark")).toHaveCount(0);
  release("Third");
});

test("plays the turns of a script while they are made, one after the other, and then the joined file", async ({
  studio,
}) => {
  hold("Second");
  hold("Third");
  await open(studio, "script");
  await studio.getByRole("textbox", { name: /^Turn 1,/ }).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, "Anna: The first turn is heard at once.\nBen: Second, this turn is made meanwhile.\nAnna: Third, this one too.");
  await studio.getByRole("button", { name: "Generate all" }).first().click();

  const current = studio.locator('li[aria-current="true"]');
  const player = studio.getByRole("region", { name: "Player" });
  await expect(current).toContainText("Anna"); // it sounds while the others wait
  await expect(player.getByRole("button", { name: "Play", exact: true })).toBeVisible(); // all there is was heard
  release("Second");
  await expect(current).toContainText("Ben");
  release("Third");
  await expect(player.locator("time").last()).toHaveText(/^0:0[5-9]$/); // the file of all turns
  await expect(player.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(current).toContainText("Anna");
});
