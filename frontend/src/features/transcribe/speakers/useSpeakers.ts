import { useMemo, useState } from "react";
import type { Segment } from "@/api/types";
import { speakersOf } from "../text/speakers";
import { keepOrder } from "./shares";

/** Whose lines are shown. */
export interface SpeakerFilter {
  /** The speakers whose lines are shown; none while all are. */
  shown: ReadonlySet<string>;
  /** Shows also the lines of this speaker, or no longer. */
  toggle(name: string): void;
  /** Shows the lines of this speaker alone. */
  only(name: string): void;
  clear(): void;
  /** Keeps the filter when a speaker gets another name. */
  rename(from: string, to: string): void;
}

const none: ReadonlySet<string> = new Set();

/** The speakers of a transcript, each at the place where it was before, and the filter by speakers. */
export function useSpeakers(segments: readonly Segment[]): { speakers: readonly string[]; filter: SpeakerFilter } {
  const names = useMemo(() => speakersOf(segments), [segments]);
  const [before, setBefore] = useState<readonly string[]>(names);
  const speakers = useMemo(() => keepOrder(before, names), [before, names]);
  if (speakers.join("\n") !== before.join("\n")) setBefore(speakers);
  const [chosen, setChosen] = useState(none);
  const shown = useMemo(() => new Set(speakers.filter((name) => chosen.has(name))), [speakers, chosen]);
  return {
    speakers,
    filter: {
      shown,
      toggle: (name) =>
        setChosen(new Set(shown.has(name) ? [...shown].filter((one) => one !== name) : [...shown, name])),
      only: (name) => setChosen(new Set([name])),
      clear: () => setChosen(none),
      rename: (from, to) => setChosen((now) => new Set([...now].map((name) => (name === from ? to : name)))),
    },
  };
}
