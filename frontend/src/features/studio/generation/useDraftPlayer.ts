import { useEffect } from "react";
import type { Generation } from "@/api/types";
import { player, restoreGeneration, showGeneration, useDraftAudio } from "@/player";

interface Options {
  /** The generation of the draft, if it has one. */
  id: string | null;
  generation: Generation | undefined;
  /** Reports whether it is known what there is of it. */
  isKnown: boolean;
  /** A different number for each opened page. */
  opened: number;
}

/** Keeps the player at the audio of the open draft. */
export function useDraftPlayer({ id, generation, isKnown, opened }: Options): void {
  useEffect(() => {
    if (!generation) return;
    player.update(generation);
    restoreGeneration(generation);
  }, [generation]);
  useDraftAudio({
    key: `text ${opened}`,
    ids: id === null ? [] : [id],
    isKnown,
    show: () => {
      if (generation) showGeneration(generation);
    },
  });
}
