import { expect, type Locator, type Page } from "@playwright/test";

/** What floats: popovers, menus and their submenus, hints, dialogs and sheets. */
const floats = ".k-float, .k-menu, .k-tip, .k-dialog, .k-sheet";
const controls = "button, a[href], input, select, textarea, [role^=menuitem], [role=option], [role=slider]";
const slack = 1; // pixels, for borders at half pixels

/** Returns which open floats leave the window, and which of their controls cannot be scrolled into it. */
async function faultsOfFloats(page: Page): Promise<string[]> {
  return page.evaluate(
    ([boxes, inside, tolerance]) => {
      const found: string[] = [];
      const leaves = (box: DOMRect) =>
        box.left < -tolerance ||
        box.top < -tolerance ||
        box.right > innerWidth + tolerance ||
        box.bottom > innerHeight + tolerance;
      const text = (box: DOMRect) => [box.left, box.top, box.right, box.bottom].map(Math.round).join(" ");
      for (const float of document.querySelectorAll(boxes)) {
        if (!float.checkVisibility({ opacityProperty: false })) continue;
        const name = float.getAttribute("aria-label") ?? (float.textContent ?? "").slice(0, 40);
        const box = float.getBoundingClientRect();
        if (leaves(box)) found.push(`${name}: ${text(box)}`);
        for (const control of float.querySelectorAll(inside)) {
          if (!control.checkVisibility({ visibilityProperty: true }) || control.closest(".sr-only")) continue;
          control.scrollIntoView({ block: "center", inline: "center" });
          const own = control.getBoundingClientRect();
          const x = (Math.max(own.left, 0) + Math.min(own.right, innerWidth)) / 2;
          const y = (Math.max(own.top, 0) + Math.min(own.bottom, innerHeight)) / 2;
          const top = document.elementFromPoint(x, y);
          if (!top || !(control.contains(top) || top.contains(control) || top.closest("label")))
            found.push(
              `${name}: cannot reach "${(control.getAttribute("aria-label") ?? control.textContent ?? "").slice(0, 40)}"`,
            );
        }
      }
      return found;
    },
    [floats, controls, slack] as const,
  );
}

export async function expectInside(page: Page, what: string): Promise<void> {
  await expect.poll(() => faultsOfFloats(page), { message: what }).toEqual([]);
}

/** Opens the submenus of the open menu one after the other. */
async function openSubMenus(page: Page, what: string): Promise<void> {
  const items = page.locator(".k-menu [role=menuitem][aria-haspopup]:not([data-disabled])");
  for (let i = 0; i < (await items.count()); i++) {
    await items.nth(i).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.locator(".k-menu")).toHaveCount(2);
    await expectInside(page, `${what}, submenu ${String(i + 1)}`);
    await page.keyboard.press("ArrowLeft");
    await expect(page.locator(".k-menu")).toHaveCount(1);
  }
}

/** In the rows of the history Enter plays, and the menu key opens. */
const isInHistory = (trigger: Locator) => trigger.evaluate((element) => element.closest("[id^=history-row-]") !== null);

const nameOf = (trigger: Locator) =>
  trigger.evaluate((e) => (e.getAttribute("aria-label") ?? e.textContent ?? "").trim().slice(0, 40));

/** Opens everything that the buttons of the screen open, and returns how many there were. */
export async function openFloats(page: Page, where: string): Promise<number> {
  const triggers = page.locator(":is(.f-main, .f-side) button[aria-haspopup]:visible:not(:disabled)");
  const names = await Promise.all((await triggers.all()).map(nameOf));
  const once = [...new Set(names)].map((name) => names.indexOf(name)); // of those of rows, the first
  for (const i of once) {
    const trigger = triggers.nth(i);
    const what = `${where}: ${names[i] ?? ""}`;
    const byKey = !(await isInHistory(trigger));
    if (byKey) {
      await trigger.focus();
      await page.keyboard.press("Enter");
    } else await trigger.dispatchEvent("click");
    await expect(page.locator(".k-float, .k-menu, .k-dialog").first(), what).toBeVisible();
    await expectInside(page, what);
    await openSubMenus(page, what);
    await page.keyboard.press("Escape");
    await expect(page.locator(".k-float, .k-menu, .k-dialog"), what).toHaveCount(0);
    if (byKey) await expect(trigger, `${what}: the focus is back`).toBeFocused();
  }
  return once.length;
}

/** Moves over the controls of the screen by Tab, each of which shows its hint. */
export async function showHints(page: Page, where: string, steps = 12): Promise<number> {
  let seen = 0;
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
  });
  for (let i = 0; i < steps; i++) {
    await page.keyboard.press("Tab");
    seen += await page.locator(".k-tip").count();
    await expectInside(page, `${where}: hint ${String(i + 1)}`);
  }
  return seen;
}
