import { useEffect, useState, type RefObject } from "react";
import { hasEnded } from "@/api/types";
import { usePlayhead, usePlaying } from "@/player";
import type { Page } from "./usePage";

const awayTime = 4_000; // ms after scrolling by hand in which the page does not scroll by itself

/** Reports whether the text was scrolled by hand a moment ago. */
function useIsAway(frame: RefObject<HTMLElement | null>, isShown: boolean): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const element = frame.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setAway(false), awayTime);
      setAway(true);
    };
    for (const event of ["wheel", "touchmove"]) element?.addEventListener(event, note, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of ["wheel", "touchmove"]) element?.removeEventListener(event, note);
    };
  }, [frame, isShown]);
  return isAway;
}

/** Returns the paragraph to scroll to: where the page was asked to go, else what is playing or has just been heard. */
export function useFollow({ transcript, place, paragraphs }: Page, frame: RefObject<HTMLElement | null>): number {
  const isPlaying = usePlaying(transcript.id) === "playing";
  const playing = usePlayhead((seconds) =>
    isPlaying ? paragraphs.findLastIndex(({ start }) => start <= seconds) : -1,
  );
  const newest = hasEnded(transcript.status) ? -1 : paragraphs.length - 1;
  const heard = playing >= 0 ? playing : newest;
  const isAway = useIsAway(frame, paragraphs.length > 0);
  const [last, setLast] = useState({ place, heard, shown: place });
  if (last.place !== place) setLast({ place, heard, shown: place });
  else if (last.heard !== heard) setLast({ ...last, heard, shown: heard >= 0 && !isAway ? heard : last.shown });
  return last.shown;
}
