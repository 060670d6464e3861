import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterAll, afterEach } from "vitest";
import { formatter, interpolation } from "@/i18n";
import { beginFile } from "./sharedWindow";

afterAll(beginFile());

const texts = import.meta.glob<Record<string, unknown>>("../i18n/{en,de}/*.json", { import: "default", eager: true });
const resources: Record<string, Record<string, Record<string, unknown>>> = {};
for (const [path, words] of Object.entries(texts)) {
  const [, language = "", namespace = ""] = /(\w+)\/([\w-]+)\.json$/.exec(path) ?? [];
  (resources[language] ??= {})[namespace] = words;
}
await i18next
  .use(formatter)
  .use(initReactI18next)
  .init({
    lng: "en",
    fallbackLng: "en",
    defaultNS: "common",
    ns: Object.keys(resources.en ?? {}),
    resources,
    interpolation,
  });

configure({ asyncUtilTimeout: 60_000 }); // the default of one second is too short on a busy machine

// What jsdom lacks and components use.
class NoObserver {
  observe() {
    /* jsdom has no layout */
  }
  unobserve() {
    /* jsdom has no layout */
  }
  disconnect() {
    /* jsdom has no layout */
  }
}
class NoAudio {
  close = () => Promise.resolve();
}
window.AudioContext ??= NoAudio as unknown as typeof AudioContext; // what plays by it uses fakeAudio
window.ResizeObserver ??= NoObserver as unknown as typeof ResizeObserver;
window.matchMedia ??= ((query: string) => ({
  matches: query.includes("min-width"),
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
})) as unknown as typeof window.matchMedia;
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;
HTMLCanvasElement.prototype.getContext = (() => null) as typeof HTMLCanvasElement.prototype.getContext;
Blob.prototype.arrayBuffer = function () {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as ArrayBuffer);
    reader.readAsArrayBuffer(this);
  });
};
Blob.prototype.stream = function () {
  const bytes = this.arrayBuffer();
  return new ReadableStream({
    async start(stream) {
      stream.enqueue(new Uint8Array(await bytes));
      stream.close();
    },
  });
};
HTMLMediaElement.prototype.play = () => Promise.resolve();
HTMLMediaElement.prototype.pause = () => undefined;
HTMLMediaElement.prototype.load = () => undefined;

afterEach(async () => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  location.hash = "";
  if (i18next.language !== "en") await i18next.changeLanguage("en");
});
