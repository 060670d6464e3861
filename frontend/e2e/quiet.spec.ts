import { devices, type Page } from "@playwright/test";
import { imagine, now, sceneServer, show, zone } from "./scene";
import { expect, test, watch } from "./studio";
import { row } from "./words";

const scene = sceneServer();

test.use({ timezoneId: zone, contextOptions: { reducedMotion: "reduce" } });

async function visit(page: Page, place: string): Promise<void> {
  await page.clock.setFixedTime(now);
  await imagine(page);
  watch(page, scene());
  await page.goto(`${scene().url}/#token=${scene().token}`);
  await show(page, place);
}
const opacity = "opacity";

test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" })); // requests may still be in flight

test("a row of the history shows play, and its menu and checkbox when it is pointed at", async ({ page }) => {
  await visit(page, "history");
  const one = row(page, "Doors closing");
  const menu = one.getByRole("button", { name: "More" });
  const box = one.getByRole("checkbox");
  await expect(one.getByRole("button", { name: "Play" })).toHaveCSS(opacity, "1");
  await expect(menu).toHaveCSS(opacity, "0");
  await expect(box).toHaveCSS(opacity, "0");
  await one.hover();
  await expect(menu).toHaveCSS(opacity, "1");
  await expect(box).toHaveCSS(opacity, "1");
});

test("every row of the history offers its checkbox while any is selected, until Escape", async ({ page }) => {
  await visit(page, "history");
  const other = row(page, "Release notes").getByRole("checkbox");
  await row(page, "Doors closing").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Select" }).click();
  await expect(page.getByRole("toolbar", { name: "Selection" })).toContainText("1 selected");
  await expect(other).toHaveCSS(opacity, "1");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("toolbar", { name: "Selection" })).toBeHidden();
  await expect(other).toHaveCSS(opacity, "0");
});

test("the star of a voice is seen when it is set, or when the row has the pointer or the focus", async ({ page }) => {
  await visit(page, "voices");
  const star = (name: string) =>
    page.getByRole("grid").getByRole("button", { name: `Favourite: ${name}`, exact: true });
  await expect(star("Heart")).toHaveCSS(opacity, "1");
  await expect(star("Heart")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await expect(star("Bella")).toHaveCSS(opacity, "0");
  await page.getByRole("row", { name: /^Bella/ }).hover();
  await expect(star("Bella")).toHaveCSS(opacity, "1");
  await page.getByRole("row", { name: /^Bella/ }).click({ position: { x: 200, y: 12 } });
  await page.mouse.move(0, 0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(star("Bella")).toBeFocused();
  await expect(star("Bella")).toHaveCSS(opacity, "1");
});

test.describe("with a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: devices["iPad Mini"].viewport });
  test("all actions of a row are seen", async ({ page }) => {
    await visit(page, "history");
    const one = row(page, "Doors closing");
    await expect(one.getByRole("button", { name: "More" })).toHaveCSS(opacity, "1");
    await expect(one.getByRole("checkbox")).toHaveCSS(opacity, "1");
  });
});
