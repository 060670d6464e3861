import { mergeConfig, defineConfig } from "vitest/config";
import vite from "./vite.config";

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      environment: "jsdom",
      environmentOptions: { jsdom: { url: "http://127.0.0.1:7411/" } },
      setupFiles: ["./src/test/setup.ts"],
      include: ["src/**/*.test.{ts,tsx}"],
      css: false,
      isolate: false, // src/test/sharedWindow.ts keeps the files apart
      restoreMocks: true,
      maxWorkers: "100%", // one for each core; by default one core is left idle, and with two that is half
      testTimeout: 180_000, // busy machines are slow; a test ends when what it waits for is there
    },
  }),
);
