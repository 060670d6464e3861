import { expect, test } from "./studio";
import { spoken } from "./texts";
import { heldVoice } from "./voice";
import { write } from "./words";

/** A word of each passage after the first one. */
const words = ["stairs", "evening", "steps", "beside", "quarter", "drought"];
const { folder, hold, release, remove } = heldVoice(words);

test.use({
  options: { env: { PATH: `${folder}:${process.env.PATH ?? ""}` } },
  contextOptions: { reducedMotion: "reduce" },
});
test.afterAll(remove);

test("films a long generation that plays while it is made, in pictures a second apart", async ({ studio, page }) => {
  for (const word of words) hold(word);
  await write(studio, spoken.join("\n\n"));
  await expect(studio.getByText(/^Saved /)).toBeVisible();
  await studio.getByRole("button", { name: "Generate" }).click();
  await expect(studio.getByRole("region", { name: "Player" })).toBeVisible();
  await studio.getByRole("region", { name: "Better voices" }).getByRole("button", { name: "Close" }).click();
  const pictures: string[] = [];
  for (const start = Date.now(); pictures.length < 8;) {
    await studio.waitForTimeout(Math.max(0, start + pictures.length * 1_000 - Date.now()));
    pictures.push(`data:image/png;base64,${(await studio.screenshot()).toString("base64")}`);
    const word = words[pictures.length - 1];
    if (word) release(word);
  }
  const strip = await page.context().newPage();
  await strip.setViewportSize({ width: 1288, height: 1640 });
  const figures = pictures.map(
    (src, i) =>
      `<figure style="margin:0"><img src="${src}" width="636"><figcaption>${String(i)} s</figcaption></figure>`,
  );
  await strip.setContent(
    `<body style="margin:4px;display:grid;grid-template-columns:640px 640px;gap:4px 0;font:13px sans-serif">${figures.join("")}</body>`,
  );
  await strip.screenshot({ path: "../docs/screens/live-strip.png", fullPage: true });
});
