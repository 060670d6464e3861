import { useRef, type RefObject } from "react";
import { hasEnded } from "@/api/types";
import { keepInSight, useFollow, type Follow } from "@/features/follow";
import { playhead, usePlayhead, usePlaying } from "@/player";
import { spotAt } from "../text/timeline";
import type { Page } from "./usePage";

interface TranscriptFollow {
  follow: Follow;
  /** For the list of paragraphs. */
  scrollTo: RefObject<((index: number) => void) | null>;
}

/** Keeps the sentence that is heard in sight; while the text is being transcribed and nothing plays, its newest paragraph. */
export function useTranscriptFollow(page: Page, frame: RefObject<HTMLElement | null>): TranscriptFollow {
  const { transcript, paragraphs, segments, timeline } = page;
  const scrollTo = useRef<((index: number) => void) | null>(null);
  const state = usePlaying(transcript.id);
  const isPlaying = state === "playing";
  const heard = usePlayhead((seconds) => (isPlaying ? spotAt(timeline, seconds)?.segment : undefined));
  const isGrowing = !isPlaying && !hasEnded(transcript.status) && paragraphs.length > 0;
  const newest = paragraphs.length - 1;

  function show() {
    if (isGrowing) return scrollTo.current?.(newest);
    const segment = segments.find(({ id }) => id === heard);
    if (!segment) return;
    const list = frame.current?.firstElementChild;
    const sentence = frame.current?.querySelector(`[data-segment="${segment.id}"]`);
    const part = (playhead.get() - segment.start) / Math.max(0.1, segment.end - segment.start);
    if (list && sentence) return keepInSight(list, sentence, Math.min(1, part));
    const paragraph = paragraphs.findIndex((one) => one.segments.includes(segment));
    if (paragraph >= 0) scrollTo.current?.(paragraph); // not of a speaker who is filtered out
  }
  const follow = useFollow(frame, {
    text: transcript.id,
    state: isGrowing ? "playing" : state,
    passage: isGrowing ? newest : `segment ${heard ?? ""}`,
    show,
  });
  return { follow, scrollTo };
}
