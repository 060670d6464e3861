import { useCallback, type RefCallback, type RefObject } from "react";

/** Returns a ref for a part that may be removed while the focus is in it, which then goes to `target`. */
export function useFocusOnRemoval(target: RefObject<HTMLElement | null>): RefCallback<HTMLElement> {
  return useCallback(
    (part) => () => {
      if (part?.contains(document.activeElement)) target.current?.focus({ preventScroll: true });
    },
    [target],
  );
}
