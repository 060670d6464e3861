import { useMemo, useRef, useState, type PointerEvent } from "react";
import { useFormat } from "@/i18n/format";
import { useWidth } from "@/lib/useWidth";
import { cx } from "@/ui";
import type { SpeakerLane } from "./store";
import { heardAt, stretchesOf, type Stretch } from "./stretches";

const height = 10; // pixels, of .p-lane
const hues = 8; // colours of speakers; from the ninth on they repeat

/** Returns a line for each speaker, as the path of an SVG. */
function linesOf(stretches: readonly Stretch[]): Map<number, string> {
  const rows = stretches.some(({ row }) => row === 1) ? 2 : 1;
  const lines = new Map<number, string>();
  for (const { x, width, row, speaker } of stretches) {
    const y = (height / rows) * (row + 0.5);
    lines.set(speaker, `${lines.get(speaker) ?? ""}M${x} ${y}h${width}`);
  }
  return lines;
}

interface Props {
  lane: SpeakerLane;
  duration: number;
  onSeek(seconds: number): void;
}

/** Who speaks when, in colours under the waveform. The names show under the pointer, and a click seeks as in the waveform. */
export function Lane({ lane, duration, onSeek }: Props) {
  const { speakers, turns, dimmed, summary } = lane;
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const stretches = useMemo(() => stretchesOf(turns, duration, width), [turns, duration, width]);
  const lines = useMemo(() => linesOf(stretches), [stretches]);
  const isDouble = stretches.some(({ row }) => row === 1);
  const [pointed, setPointed] = useState<number | null>(null); // part of the duration

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    const place = event.currentTarget.getBoundingClientRect();
    const part = Math.max(0, Math.min(1, (event.clientX - place.left) / place.width));
    setPointed(part);
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    onSeek(part * duration);
  }
  const names = pointed === null ? [] : heardAt(turns, pointed * duration).map((at) => speakers[at]?.name ?? "");
  return (
    <div
      ref={box}
      className="p-lane"
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={() => setPointed(null)}
    >
      <svg role="img" aria-label={summary} data-double={isDouble ? "" : undefined}>
        {[...lines].map(([speaker, path]) => (
          <path
            key={speaker}
            d={path}
            className={cx(speakers[speaker]?.className ?? "")}
            data-again={speaker >= hues ? "" : undefined}
            data-dimmed={dimmed.has(speaker) ? "" : undefined}
          />
        ))}
      </svg>
      {pointed !== null && names.length > 0 ? (
        <span
          className="p-lane-name"
          aria-hidden
          style={{ left: `${pointed * 100}%`, transform: `translateX(${-pointed * 100}%)` }}
        >
          <bdi>{format.list(names)}</bdi> {format.clock(pointed * duration)}
        </span>
      ) : null}
    </div>
  );
}
