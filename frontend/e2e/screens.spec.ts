import type { Page } from "@playwright/test";
import { pictures } from "./pictures";
import { imagine, now, sceneServer, zone } from "./scene";
import { firstStart, states } from "./states";
import { expect, waitForPage, test, watch, type Server } from "./studio";

// No picture changes the library, so that all workers may take them: each has a program for its share.
test.describe.configure({ mode: "parallel" });

const scene = sceneServer();

/**
 * Permitted difference in pixels per million. Fonts and rasteriser are fixed, so equal screens differ in 0. A missing
 * side panel changes 6,000 in the dark theme, another accent 3,500, a missing button 2,500: 1 % would miss them.
 */
const tolerance = 1500;

async function compare(page: Page, server: Server, name: string, compose: (page: Page) => Promise<void>) {
  await page.clock.setFixedTime(now);
  await imagine(page);
  const faults = watch(page, server);
  await page.goto(`${server.url}/#token=${server.token}`);
  await compose(page);
  await page.mouse.move(0, 0);
  await waitForPage(page);
  // A screen with an error must never be compared, except where the error is what it shows.
  if (!name.startsWith("state-")) await expect(page.locator(".k-error")).toHaveCount(0);
  await expect(page).toHaveScreenshot(`${name}.png`, { maxDiffPixels: tolerance });
  expect(faults).toEqual([]);
}

for (const theme of ["dark", "light"] as const) {
  test.describe(theme, () => {
    test.use({ timezoneId: zone, colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });
    for (const [name, compose] of Object.entries(pictures))
      test(`${name} looks as in docs/screens`, ({ page }) => compare(page, scene(), `${name}-${theme}`, compose));
  });
  test.describe(`${theme}, small`, () => {
    test.use({ timezoneId: zone, colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });
    test.use({ viewport: { width: 1000, height: 600 } });
    for (const [name, compose] of Object.entries(states))
      test(`${name} looks as in docs/screens`, ({ page }) => compare(page, scene(), `state-${name}-${theme}`, compose));
    test("the first start looks as in docs/screens", ({ page, server }) =>
      compare(page, server, `state-first-start-${theme}`, firstStart));
  });
}
