import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, open, test } from "./studio";
import { long, paper, row, sounds, write } from "./words";

test("speaks at the first start, and the generation is in the history", async ({ studio }) => {
  await expect(studio.getByRole("region", { name: "Voice" })).toContainText("Built-in voice");
  await expect(paper(studio)).toBeVisible();
  await studio.keyboard.press("Control+Enter");
  await sounds(studio);
  await open(studio, "history");
  await expect(
    row(studio, "A quiet room, a page of text, and a voice to read it.").getByRole("button", {
      name: /^(Play|Pause)$/,
    }),
  ).toBeVisible();
});

test("saves typed text, and keeps it after a reload", async ({ studio }) => {
  await write(studio, "This is text that was typed a moment ago.");
  await studio.reload();
  await expect(paper(studio)).toHaveText("This is text that was typed a moment ago.");
  await expect(studio.getByText(/^Saved /)).toBeVisible();
});

test("typed text is preserved after leaving at once, and after it was generated", async ({ studio }) => {
  await write(studio, "Typed and left in the same moment.");
  await studio.getByRole("link", { name: "History" }).click();
  await expect(studio.getByText("No generations yet")).toBeVisible();
  await studio.getByRole("link", { name: "Studio" }).click();
  await expect(paper(studio)).toHaveText("Typed and left in the same moment.");

  await write(studio, "Typed and spoken in the same moment.");
  await studio.keyboard.press("Control+Enter");
  await sounds(studio);
  await expect(studio.getByText(/^Saved /)).toBeVisible();
  await open(studio, "history");
  await open(studio, "studio");
  await expect(paper(studio)).toHaveText("Typed and spoken in the same moment.");
  await studio.reload();
  await expect(paper(studio)).toHaveText("Typed and spoken in the same moment.");
});

test.describe("in a small window", () => {
  test.use({ viewport: { width: 1000, height: 600 } });

  test("what was typed before the first generation stays, and typing goes on", async ({ studio }) => {
    await write(studio, "Typed before the first sound.");
    await studio.keyboard.press("Control+Enter");
    await sounds(studio);
    await expect(paper(studio)).toHaveText("Typed before the first sound.");
    await studio.keyboard.type(" And after it.");
    await expect(paper(studio)).toHaveText("Typed before the first sound. And after it.");
  });
});

test("undo goes on after a script was made of the text and changed", async ({ studio }) => {
  await write(studio, "Anna: Who is there?\n\nBen: Nobody.");
  await studio.getByRole("radio", { name: "Script" }).click();
  await studio.getByRole("textbox", { name: "Turn 2, Ben" }).fill("The wind.");
  await studio.getByRole("radio", { name: "Text" }).click();
  await expect(paper(studio)).toContainText("Ben: The wind.");
  await paper(studio).click();
  await studio.keyboard.press("Control+Z");
  await expect(paper(studio)).toContainText("Ben: Nobody.");
  await studio.keyboard.press("Control+Z");
  await expect(paper(studio)).toHaveText("A quiet room, a page of text, and a voice to read it.");

  await studio.getByRole("radio", { name: "Script" }).click();
  await expect(studio.getByRole("textbox", { name: /^Turn 1/ })).toHaveValue(/^A quiet room/);
  await studio.keyboard.press("Control+Z");
  await expect(studio.getByRole("textbox", { name: "Turn 2, Ben" })).toHaveValue("The wind.");
});

test("stops in the middle of a long text; continued, it is complete", async ({ studio }) => {
  const text = long(60_000);
  await write(studio, text);
  await studio.getByRole("button", { name: /^(Speak|Generate)$/ }).click();
  await expect(studio.getByRole("progressbar", { name: /^Passage (?!1 )\d+ of \d+/ })).toBeVisible({ timeout: 60_000 });
  await studio.getByRole("button", { name: "Stop" }).click();
  await expect(studio.getByText(/^Stopped\. \d+ of \d+ passages (is|are) saved\.$/)).toBeVisible();
  await expect(studio.getByRole("button", { name: "Generate", exact: true })).toBeVisible();
  await expect(studio.getByText(/^\d+ jobs?$/)).toBeHidden();

  await open(studio, "history");
  const made = row(studio, text.slice(0, 40));
  await expect(made).toHaveCount(1);
  await expect(made.getByRole("img", { name: "Stopped" })).toBeVisible();
  await expect(made).toHaveText(/Saved: \d+ of \d+ passages/);
  await made.getByRole("button", { name: "Continue" }).click();
  await expect(made.getByRole("progressbar")).toBeVisible();
  await expect(made.getByRole("button", { name: /^(Play|Pause)$/ })).toBeVisible({ timeout: 120_000 });
  await expect(made).toHaveCount(1);
  await expect(made.getByRole("img", { name: "Stopped" })).toBeHidden();
});

const evil = '<img src=x onerror="document.title=1"><b>Bold</b><script>document.title=2</script> & "Co"';

test("shows markup in texts and names literally", async ({ studio, server, request }) => {
  const headers = { Authorization: `Bearer ${server.token}` };
  const profiles = (await (await request.get(`${server.url}/profiles`, { headers })).json()) as {
    items: { id: string }[];
  };
  const changed = await request.put(`${server.url}/profiles/${profiles.items[0]?.id ?? ""}`, {
    headers,
    data: { name: evil, description: evil, voice_type: "default" },
  });
  expect(changed.ok(), await changed.text()).toBe(true);

  await studio.reload();
  await expect(studio.getByRole("region", { name: "Voice" }).getByText(evil).first()).toBeVisible();
  await write(studio, evil);
  await studio.keyboard.press("Control+Enter");
  await sounds(studio);
  await open(studio, "history");
  await expect(row(studio, evil)).toHaveCount(1);
  await row(studio, evil).click();
  await expect(studio.getByRole("complementary")).toContainText(evil);
  await studio
    .getByRole("searchbox", { name: "Search history" })
    .or(studio.getByRole("textbox", { name: "Search history" }))
    .fill("Bold");
  await expect(studio.locator("mark").getByText("Bold")).toBeVisible();
  await expect(row(studio, evil)).toHaveCount(1);
  await open(studio, "voices");
  await expect(studio.getByRole("row").filter({ hasText: evil })).toHaveCount(1);
  expect(await studio.title()).not.toMatch(/^[12]$/);
  expect(await studio.locator("img[src=x], main b").count()).toBe(0);
});

test("measures the time to the first paint, without a limit", async ({ studio }) => {
  await expect(paper(studio)).toBeVisible();
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    await studio.reload();
    await expect(paper(studio)).toBeVisible();
    times.push(
      await studio.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN),
    );
  }
  const files = readdirSync("dist/assets").map((name) => ({ name, bytes: readFileSync(`dist/assets/${name}`) }));
  const weight = (end: string) =>
    files.filter(({ name }) => name.endsWith(end)).reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0);
  const kilobytes = (bytes: number) => `${String(Math.round(bytes / 1000))} kB`;
  test.info().annotations.push({
    type: "first contentful paint",
    description: `${times.map((ms) => ms.toFixed(0)).join(", ")} ms`,
  });
  process.stdout.write(
    `first contentful paint: ${times.map((ms) => ms.toFixed(0)).join(", ")} ms; ` +
      `all of the page gzipped: ${kilobytes(weight(".js"))} of script, ${kilobytes(weight(".css"))} of style\n`,
  );
});
