import { pictures } from "./pictures";
import { imagine, now, sceneServer, zone } from "./scene";
import { expect, waitForPage, test, watch } from "./studio";

const scene = sceneServer();

/**
 * Permitted difference in pixels per million. Fonts and rasteriser are fixed, so equal screens differ in 0. A missing
 * side panel changes 6,000 in the dark theme, another accent 3,500, a missing button 2,500: 1 % would miss them.
 */
const tolerance = 1500;

for (const theme of ["dark", "light"] as const) {
  test.describe(theme, () => {
    test.use({ timezoneId: zone, colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });
    for (const [name, compose] of Object.entries(pictures)) {
      test(`${name} looks as in docs/screens`, async ({ page }) => {
        await page.clock.setFixedTime(now);
        await imagine(page);
        const faults = watch(page, scene());
        await page.goto(`${scene().url}/#token=${scene().token}`);
        await compose(page);
        await page.mouse.move(0, 0);
        await waitForPage(page);
        await expect(page.locator(".k-error")).toHaveCount(0); // a screen with an error must never be compared
        await expect(page).toHaveScreenshot(`${name}-${theme}.png`, { maxDiffPixels: tolerance });
        expect(faults).toEqual([]);
      });
    }
  });
}
