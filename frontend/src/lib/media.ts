import { useSyncExternalStore } from "react";
import { createStore, useStore } from "./store";

/** How many times its own size the page has by CSS. Media queries do not see it. */
export const pageScale = createStore(1);

/** Reports whether the page is at least this wide, in its own pixels: what `@container page` is in CSS. */
export function useIsAtLeast(width: number): boolean {
  const query = `(min-width: ${width * useStore(pageScale)}px)`;
  const subscribe = (listener: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener("change", listener);
    return () => media.removeEventListener("change", listener);
  };
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

export const useIsWide = () => useIsAtLeast(1100);
