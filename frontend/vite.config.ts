import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The first path parts of the local API; everything else belongs to the page. */
const apiPaths =
  "audio|books|docs|drafts|events|generate|health|history|models|openapi.json|profiles|pronunciations|script|scripts|settings|speakers|system|text";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      "@": here("./src"),
      // Both of these write <style> elements, which the policy of the server forbids.
      "react-remove-scroll": here("./src/ui/csp/removeScroll.tsx"),
      "style-mod": here("./src/ui/csp/styleMod.ts"),
    },
  },
  build: {
    target: ["safari16.4", "chrome110", "firefox115"], // safari16.4 is WebKitGTK 2.40
    outDir: "dist",
    emptyOutDir: false, // scripts/clean.mjs does it, and keeps dist/placeholder.txt
    assetsInlineLimit: 0, // data: addresses are not allowed for fonts and scripts
    modulePreload: { polyfill: false }, // the polyfill is for browsers older than the target
    manifest: true,
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    fs: { allow: [here("..")] }, // THIRD_PARTY.md and docs/privacy.md are shown in the settings
    proxy: {
      [`^/(${apiPaths})(/|\\?|$)`]: {
        target: process.env.VOICEWRIGHT_URL ?? "http://127.0.0.1:7411",
        changeOrigin: true,
        headers: { Origin: process.env.VOICEWRIGHT_URL ?? "http://127.0.0.1:7411" },
      },
    },
  },
});
