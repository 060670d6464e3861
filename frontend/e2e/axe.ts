import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * The page must be usable without sight and without a mouse: not even minor violations are accepted.
 * `part` checks one part alone: while a menu is open, the page behind it is hidden.
 */
export async function accessible(page: Page, where: string, part = "html"): Promise<void> {
  await stillness(page);
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .options({ resultTypes: ["violations"] }) // describing what passed takes longer than finding what does not
    .setLegacyMode() // in the page itself; a second page is for frames of other sites, which this one has none of
    .analyze();
  const faults = violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id} (${rule.impact ?? ""}) ${node.html.slice(0, 160)}`),
  );
  expect.soft(faults, where).toEqual([]);
}

/** During a fade-in the contrast is wrong. */
async function stillness(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
}
