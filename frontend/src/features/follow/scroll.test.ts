import { expect, test } from "vitest";
import { scrollNeeded } from "./scroll";

const window = { top: 100, bottom: 700 }; // 60 pixels at each end are kept free

/** Where a passage lies in the window after the scrolling. */
const after = (top: number, bottom: number, part = 0) => {
  const by = scrollNeeded({ top, bottom }, part, window);
  return { top: top - by, bottom: bottom - by };
};

test("a passage in sight does not move", () => {
  expect(scrollNeeded({ top: 160, bottom: 400 }, 0.5, window)).toBe(0);
  expect(scrollNeeded({ top: 300, bottom: 640 }, 0.5, window)).toBe(0);
});

test.each([
  ["below the window", 900, 1000],
  ["partly below it", 600, 720],
  ["above it", -500, -400],
  ["partly above it", 50, 200],
  ["as high as it can be", 900, 1380],
])("a passage %s is shown complete", (_, top, bottom) => {
  const shown = after(top, bottom);
  expect(shown.top).toBeGreaterThanOrEqual(160);
  expect(shown.bottom).toBeLessThanOrEqual(640);
});

test("of a passage higher than the window the line that is read is shown", () => {
  for (const part of [0, 0.2, 0.5, 0.8, 1]) {
    const shown = after(1000, 4000, part);
    const line = shown.top + part * 3000;
    expect(line).toBeGreaterThanOrEqual(160);
    expect(line).toBeLessThanOrEqual(640);
  }
  expect(scrollNeeded({ top: -500, bottom: 2500 }, 0.3, window)).toBe(0); // its line is at 400
});
