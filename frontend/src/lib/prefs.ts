import { createStore, useStore } from "./store";

export type Theme = "system" | "dark" | "light";
/** What this window remembers by itself; everything else belongs to the settings of the server. */
export interface Prefs {
  theme: Theme;
  /** "system" follows the browser. */
  language: string;
}

const key = "voicewright.prefs";
const first: Prefs = { theme: "system", language: "system" };

function read(): Prefs {
  try {
    return { ...first, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Prefs>) };
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
