import { useEffect } from "react";
import { createStore, useStorePart } from "@/lib/store";

/** The ids of the audio that a screen exports by itself, joined by commas. */
const elsewhere = createStore("");

/** Exports this audio here while the component is mounted: the player offers it no second time. */
export function useExportHere(ids: readonly string[]): void {
  const all = ids.join();
  useEffect(() => {
    elsewhere.set(all);
    return () => elsewhere.set("");
  }, [all]);
}

/** Reports whether a screen exports this audio. */
export const useIsExportedElsewhere = (id: string): boolean =>
  useStorePart(elsewhere, (ids) => ids.split(",").includes(id));
