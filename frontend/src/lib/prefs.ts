import { createStore, useStore } from "./store";

export type Theme = "system" | "dark" | "light";
/** What this window remembers by itself; everything else belongs to the settings of the server. */
export interface Prefs {
  theme: Theme;
  /** "system" follows the browser. */
  language: string;
  /** Of the player, from 0 to 1. */
  volume: number;
}

const key = "voicewright.prefs";
const first: Prefs = { theme: "system", language: "system", volume: 1 };

function read(): Prefs {
  try {
    const kept = { ...first, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Prefs>) };
    return { ...kept, volume: kept.volume >= 0 && kept.volume <= 1 ? kept.volume : first.volume }; // an element of sound takes no other
  } catch {
    return first; // no storage, or not ours
  }
}

const store = createStore<Prefs>(read());

function showTheme({ theme }: Prefs): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const prefs = {
  get: store.get,
  subscribe: store.subscribe,
  set(changes: Partial<Prefs>): void {
    store.set((before) => ({ ...before, ...changes }));
    localStorage.setItem(key, JSON.stringify(store.get()));
    showTheme(store.get());
  },
  /** Shows the stored theme; called once before the first paint. */
  apply: () => showTheme(store.get()),
};

export function usePrefs(): Prefs {
  return useStore(store);
}
