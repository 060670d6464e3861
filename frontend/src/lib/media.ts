import { useSyncExternalStore } from "react";

/** Reports whether a media query matches now. */
export function useMedia(query: string): boolean {
  const subscribe = (listener: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener("change", listener);
    return () => media.removeEventListener("change", listener);
  };
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

export const useIsWide = () => useMedia("(min-width: 1100px)");
