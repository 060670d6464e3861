import { useEffect } from "react";
import type { DraftDocument } from "./document";
import type { DraftStore } from "./draftStore";

/** Saves when the window closes or is hidden, and reads what another window saved when it is shown again. */
export function useDraftEvents<D extends DraftDocument>(store: DraftStore<D>): void {
  useEffect(() => {
    const onPageHide = () => store.leave();
    const onFocus = () => void store.refresh();
    const onVisibility = () => void (document.visibilityState === "hidden" ? store.save() : store.refresh());
    window.addEventListener("pagehide", onPageHide);
    window.addEventListener("focus", onFocus);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      window.removeEventListener("pagehide", onPageHide);
      window.removeEventListener("focus", onFocus);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [store]);
}
