import * as v from "valibot";
import { createStore, useStore } from "./store";
import { storedValue } from "./storedValue";

/** The sizes of the page in the desktop window. */
export const zooms = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2] as const;
const first = {
  theme: "system",
  language: "system",
  volume: 1,
  outputDevice: { id: "", label: "" },
  autoplay: true,
  zoom: 1,
  singleKeys: true,
  keys: {},
} as const;
/** Preferences of this browser; all others are settings of the server. Invalid fields get their default. */
const schema = v.object({
  theme: v.fallback(v.picklist(["system", "dark", "light"]), first.theme),
  /** "system" is the language of the browser. */
  language: v.fallback(v.string(), first.language),
  /** Of the player, from 0 to 1. */
  volume: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), first.volume),
  /** The id and name that the browser gave to the device on which everything plays; empty for that of the system. */
  outputDevice: v.fallback(v.object({ id: v.string(), label: v.string() }), first.outputDevice),
  /** New audio plays by itself. */
  autoplay: v.fallback(v.boolean(), first.autoplay),
  /** The size of the page in the desktop window; browsers have their own. */
  zoom: v.fallback(v.picklist(zooms), first.zoom),
  /** Shortcuts of one character, without Ctrl, Alt or Command, are on. */
  singleKeys: v.fallback(v.boolean(), first.singleKeys),
  /** Changed shortcuts, by the default ones. */
  keys: v.fallback(v.record(v.string(), v.pipe(v.string(), v.minLength(1))), first.keys),
});
export type Prefs = v.InferOutput<typeof schema>;
export type Theme = Prefs["theme"];

const stored = storedValue("voicewright.prefs", schema, first);
const store = createStore<Prefs>(stored.read());

function applyTheme({ theme }: Prefs): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const prefs = {
  get: store.get,
  subscribe: store.subscribe,
  set(changes: Partial<Prefs>): void {
    store.set((before) => ({ ...before, ...changes }));
    stored.write(store.get());
    applyTheme(store.get());
  },
  /** Applies the stored theme; called once before the first paint. */
  apply: () => applyTheme(store.get()),
};

export function usePrefs(): Prefs {
  return useStore(store);
}
