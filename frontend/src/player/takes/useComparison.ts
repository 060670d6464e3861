import { useEffect, useEffectEvent, useState } from "react";
import { prepareTake, releaseTakes, switchTake, useAudition } from "../audition";
import type { Sound } from "../state";
import { takeOf } from "../takes";

/** Two takes of a chunk side by side: the chosen one, and the one that was heard last, else the newest. */
export function useComparison(
  generation: Pick<Sound, "id" | "audio_path">,
  chunk: number,
  takes: number,
  chosen: number,
) {
  const { id, audio_path: file } = generation;
  const state = useAudition({ id, file, chunk });
  const { heard } = state;
  const [last, setLast] = useState(-1); // of those that are not chosen
  const [chosenBefore, setChosenBefore] = useState(chosen);
  if (chosen !== chosenBefore) {
    setChosenBefore(chosen);
    setLast(chosenBefore); // so that the same two are still compared
  } else if (heard !== null && heard !== chosen && heard !== last) {
    setLast(heard);
  }
  const newest = chosen === takes - 1 ? takes - 2 : takes - 1;
  const other = last >= 0 && last !== chosen && last < takes ? last : newest;
  const pair = takes > 1 ? [chosen, other].sort((a, b) => a - b) : [];
  const partner = heard === null ? undefined : pair.find((take) => take !== heard);

  const prepare = useEffectEvent((take: number) => {
    prepareTake(takeOf(generation, chunk, take)).catch(() => undefined); // a change to it shows the error
  });
  const isPlaying = heard !== null && !state.isLoading;
  useEffect(() => {
    if (isPlaying && partner !== undefined) prepare(partner);
  }, [isPlaying, partner]);
  useEffect(() => () => releaseTakes({ id, file, chunk }), [id, file, chunk]);

  return {
    ...state,
    pair,
    /** Changes to the other one of the two; plays the first one if none plays. */
    switchTakes: () => {
      const take = partner ?? pair[0];
      if (take !== undefined) void switchTake(takeOf(generation, chunk, take));
    },
  };
}
