import { expect, waitForPage, test } from "./studio";

test("the page uses the bundled font Inter", async ({ studio, server }) => {
  await waitForPage(studio);
  const loaded = await studio.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family.replace(/"/g, ""));
  });
  expect(loaded).toContain("Inter Variable");
  expect(await studio.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^"?Inter Variable/);
  const sources = await studio.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map((entry) => entry.name)
      .filter((name) => name.endsWith(".woff2")),
  );
  expect(sources.length).toBeGreaterThan(0);
  for (const source of sources) expect(source).toContain(`${server.url}/assets/inter-latin`);
});
