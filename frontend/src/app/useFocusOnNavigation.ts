import { useEffect, useRef, type RefObject } from "react";
import { announce } from "@/lib/announce";
import type { Route } from "@/lib/router";

/** The place that has the focus after navigation by itself: a field that a screen opens ready to type. */
const inScreen = (element: Element | null): boolean => element?.closest(".f-view") != null;

/** Moves the focus to the heading of a new screen, which screen readers then read. Within a screen it moves only if it was lost. */
export function useFocusOnNavigation(
  { screen, segments }: Route,
  heading: RefObject<HTMLElement | null>,
  name: string,
): void {
  const place = [screen, ...segments].join("/");
  const before = useRef({ screen, place });
  useEffect(() => {
    const { screen: last, place: lastPlace } = before.current;
    before.current = { screen, place };
    if (place === lastPlace) return;
    // After an open dialog, such as the palette, has returned the focus.
    const timer = setTimeout(() => {
      const { activeElement } = document;
      if (screen === last && activeElement !== document.body) return;
      if (inScreen(activeElement)) announce(name);
      else heading.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [screen, place, heading, name]);
}
