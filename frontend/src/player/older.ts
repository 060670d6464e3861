import { useEffect } from "react";
import { createStore, useStore } from "@/lib/store";

/** The id of the sound of which the screen shows a newer text. */
const older = createStore<string | null>(null);

/** Says while the screen is shown whether a sound is older than it, so that an export of the player says so too. */
export function useMarkOlder(id: string | undefined, isOlder: boolean): void {
  useEffect(() => {
    if (!id || !isOlder) return;
    older.set(id);
    return () => older.set(null);
  }, [id, isOlder]);
}

/** Reports whether a sound is older than what the screen shows of it. */
export const useIsOlder = (id: string): boolean => useStore(older) === id;
