import { useMemo, useRef } from "react";
import type { Take } from "@/api/types";
import { useWidth } from "@/lib/useWidth";
import { auditionHead } from "../audition";
import { barsOf, pathOf } from "../bars";
import { Bars, barPitch, Played } from "../Waveform";

const height = 24; // pixels, that of .p-take-wave

/** The waveform of a take. All takes of a chunk have one scale, so that the same second is at the same place. */
export function TakeWave({
  stored,
  longest,
  isHeard,
}: {
  stored: Take | undefined;
  longest: number;
  isHeard: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const path = useMemo(() => {
    const part = stored?.duration && longest > 0 ? stored.duration / longest : 0;
    return pathOf(barsOf(stored?.peaks ?? [], Math.floor((width * part) / barPitch)), barPitch, height);
  }, [stored, longest, width]);
  return (
    <div ref={box} className="p-take-wave" aria-hidden>
      <Bars path={path} />
      {isHeard ? <Played path={path} playhead={auditionHead} duration={longest} width={width} /> : null}
    </div>
  );
}
