import * as v from "valibot";
import { createStore, useStore } from "./store";
import { storedValue } from "./storedValue";

const first = { theme: "system", language: "system", volume: 1, autoplay: true } as const;
/** Preferences of this browser; all others are settings of the server. Invalid fields get their default. */
const schema = v.object({
  theme: v.fallback(v.picklist(["system", "dark", "light"]), first.theme),
  /** "system" is the language of the browser. */
  language: v.fallback(v.string(), first.language),
  /** Of the player, from 0 to 1. */
  volume: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), first.volume),
  /** New audio plays by itself. */
  autoplay: v.fallback(v.boolean(), first.autoplay),
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
