import AxeBuilder from "@axe-core/playwright";
import { expect, open, screens, test } from "./studio";

const settled = 1200; // milliseconds in which a screen has its data

test("speaks at the first start, and the history has it", async ({ studio }) => {
  await expect(studio.getByText("Built-in voice").first()).toBeVisible();
  await expect(studio.locator(".cm-content")).toBeVisible();
  await studio.keyboard.press("Control+Enter");
  await expect(studio.getByRole("button", { name: "Play", exact: true }).or(studio.getByRole("button", { name: "Pause", exact: true })).first())
    .toBeVisible({ timeout: 20_000 });
  await open(studio, "history");
  await expect(studio.getByText("A quiet room, a page of text, and a voice to read it.").first()).toBeVisible();
});

test("writes what was typed, and keeps it over a reload", async ({ studio }) => {
  const page = studio.locator(".cm-content");
  await page.click();
  await studio.keyboard.press("Control+A");
  await studio.keyboard.type("<b>This</b> is text & nothing else.");
  await studio.waitForTimeout(2000);
  await studio.reload();
  await expect(studio.locator(".cm-content")).toContainText("is text & nothing else.");
});

for (const theme of ["dark", "light"] as const) {
  test(`every screen in ${theme} has no serious fault for those who cannot see it`, async ({ studio }) => {
    await studio.emulateMedia({ colorScheme: theme });
    for (const screen of screens) {
      await open(studio, screen);
      await studio.waitForTimeout(settled);
      const found = await new AxeBuilder({ page: studio }).analyze();
      const grave = found.violations.filter((v) => v.impact === "serious" || v.impact === "critical");
      expect(grave.map((v) => `${screen}: ${v.id} ${v.nodes[0]?.html ?? ""}`)).toEqual([]);
      if (process.env.SCREENS) await studio.screenshot({ path: `../docs/screens/${screen}-${theme}.png` });
    }
  });
}
