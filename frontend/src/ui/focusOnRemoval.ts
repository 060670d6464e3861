import { useCallback, type RefCallback, type RefObject } from "react";
import { isFocusFree, returnFocus } from "./focusTrail";

const controls = "button, a[href], input, select, textarea, [tabindex]";

/** Returns the target itself, or its first control where it is a box around controls. */
function controlOf(target: HTMLElement): HTMLElement | undefined {
  if (target.matches(controls)) return target;
  return [...target.querySelectorAll<HTMLElement>(controls)].find((control) => !control.matches(":disabled"));
}

/**
 * Returns a ref for a part that may be removed while a key has put the focus into it. The focus then goes to `target`
 * or its first control; without one, or when it is removed too, to where it was before.
 */
export function useFocusOnRemoval(target?: RefObject<HTMLElement | null>): RefCallback<HTMLElement> {
  return useCallback(
    (part) => () => {
      const focused = document.activeElement;
      if (!part?.contains(focused) || !focused?.matches(":focus-visible")) return;
      // Only after React has changed the page is it known what is left of it.
      queueMicrotask(() => {
        if (isFocusFree() && target?.current) controlOf(target.current)?.focus({ preventScroll: true });
        returnFocus();
      });
    },
    [target],
  );
}
