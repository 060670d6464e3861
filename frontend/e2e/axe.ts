import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Nothing on the page may be hard to use for those who cannot see it, or cannot use a mouse: not even small faults.
 * `part` looks at one part alone: while a menu is open, the page behind it is hidden from everybody.
 */
export async function accessible(page: Page, where: string, part = "html"): Promise<void> {
  await stillness(page);
  const { violations } = await new AxeBuilder({ page }).include(part).analyze();
  const faults = violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id} (${rule.impact ?? ""}) ${node.html.slice(0, 160)}`),
  );
  expect.soft(faults, where).toEqual([]);
}

/** What fades in has the wrong contrast until it is there. */
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
