import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { defineConfig } from "@playwright/test";

/** The system's browser, in the places in which build/setup looks too; none is ever downloaded. */
function chromium(): string {
  const names = process.env.CHROMIUM
    ? [process.env.CHROMIUM]
    : [
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      ];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find((path) => existsSync(path));
  if (!found)
    throw new Error(
      `Chromium is missing (looked for ${names.join(", ")}): run build/setup --browser, or name one by CHROMIUM=/path/to/it.`,
    );
  return found;
}

/** How the browser starts: the page brings Inter, and of the system's fonts only those of e2e/fonts.conf are used. */
const launchOptions = {
  executablePath: chromium(),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--force-color-profile=srgb", // pictures alike on every machine
  ],
  env: { ...process.env, FONTCONFIG_FILE: resolve("e2e", "fonts.conf") } as Record<string, string>,
};

const pictures = "screens.spec.ts";

/** The real page on the real program. `make e2e` builds both before. Times are for a busy machine: no test is about speed. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 300_000,
  expect: { timeout: 60_000, toHaveScreenshot: { maxDiffPixelRatio: 0.03, animations: "disabled", caret: "hide" } },
  snapshotPathTemplate: "../docs/screens/{arg}{ext}",
  updateSnapshots: process.env.SCREENS ? "changed" : "none",
  workers: availableParallelism() + 1, // tests wait for the program and for timers of the page
  retries: process.env.CI ? 1 : 0, // and what passed only then is printed as flaky
  forbidOnly: process.env.CI !== undefined,
  reporter: "list",
  use: {
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    screenshot: "only-on-failure",
    launchOptions,
  },
  projects: [
    { name: "page", testIgnore: pictures },
    { name: "screens", testMatch: pictures },
    ...(process.env.SCREENS ? [{ name: "strip", testMatch: "strip.ts" }] : []), // it shows time, so there is nothing to compare
    ...(process.env.MEASURE ? [{ name: "measure", testMatch: "typing.ts" }] : []), // on a quiet machine
  ],
});
