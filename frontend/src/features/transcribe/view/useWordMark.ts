import { useEffect, type RefObject } from "react";
import { player, playhead } from "@/player";
import { spotAt, type Spot } from "../text/timeline";

const mark = "data-now";

/** Marks the word under the playhead, without rendering: the playhead moves with every frame. */
export function useWordMark(frame: RefObject<HTMLElement | null>, id: string, timeline: readonly Spot[]): void {
  useEffect(() => {
    let marked: Element | null = null;
    const select = (spot: Spot | undefined): Element | null => {
      if (!spot) return null;
      const name = spot.word < 0 ? `[data-segment="${spot.segment}"]` : `[data-word="${spot.segment}:${spot.word}"]`;
      return frame.current?.querySelector(name) ?? null;
    };
    function move() {
      const isLoaded = player.get().generation?.id === id;
      const next = isLoaded ? select(spotAt(timeline, playhead.get())) : null;
      if (next === marked) return;
      marked?.removeAttribute(mark);
      next?.setAttribute(mark, "");
      marked = next;
    }
    move();
    const stops = [playhead.subscribe(move), player.subscribe(move)];
    return () => {
      marked?.removeAttribute(mark);
      for (const stop of stops) stop();
    };
  }, [frame, id, timeline]);
}
