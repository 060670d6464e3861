import { useCallback, type RefCallback, type RefObject } from "react";

/** Returns a ref for a part that may be removed while a key has put the focus into it, which then goes to `target`. */
export function useFocusOnRemoval(target: RefObject<HTMLElement | null>): RefCallback<HTMLElement> {
  return useCallback(
    (part) => () => {
      const focused = document.activeElement;
      if (part?.contains(focused) && focused?.matches(":focus-visible")) target.current?.focus({ preventScroll: true });
    },
    [target],
  );
}
