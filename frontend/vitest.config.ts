import { mergeConfig, defineConfig } from "vitest/config";
import vite from "./vite.config";

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      environment: "jsdom",
      environmentOptions: { jsdom: { url: "http://127.0.0.1:7411/" } },
      setupFiles: ["./src/test/setup.ts"],
      css: false,
      restoreMocks: true,
      maxWorkers: "100%", // one for each core; by default one core is left idle, and with two that is half
      testTimeout: 180_000, // busy machines are slow; a test ends when what it waits for is there
      // The files that draw nothing share a window in each worker (src/test/sharedWindow.ts). The others have one each: Radix and
      // user-event keep the focus and the listeners of a document in modules that are loaded once, and the player its sounds.
      projects: [
        {
          extends: true,
          test: { name: "shared", include: ["src/**/*.test.ts"], exclude: ["src/player/**"], isolate: false },
        },
        { extends: true, test: { name: "alone", include: ["src/**/*.test.tsx", "src/player/**/*.test.ts"] } },
      ],
    },
  }),
);
