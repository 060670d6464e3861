import { memo, useEffect, useMemo, useRef, type KeyboardEvent, type PointerEvent } from "react";
import { useFormat } from "@/i18n/format";
import { useWidth } from "@/lib/useWidth";
import { barsOf, pathOf } from "./bars";

/** The position in seconds, for subscribers. */
export interface Playhead {
  get(): number;
  subscribe(listener: () => void): () => void;
}

type Peaks = readonly (readonly number[])[];
interface Props {
  peaks: Peaks;
  playhead: Playhead;
  seconds: number;
  duration: number;
  label: string;
  onSeek(seconds: number): void;
}

const step = 5; // seconds per arrow key press
export const barPitch = 3; // pixels
const height = 40; // pixels, the height of .p-wave

/** Painted once per audio and width; the colour comes from the theme. */
export const Bars = memo(function Bars({ path }: { path: string }) {
  return (
    <svg className="p-bars" aria-hidden>
      <path d={path} />
    </svg>
  );
});

/** Moves the played part and the line to the playhead without rendering, by whole pixels only. */
function useMoving(playhead: Playhead, duration: number, width: number) {
  const clip = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    let last = -1;
    function move() {
      const scale = window.devicePixelRatio;
      const x = duration > 0 ? Math.round(Math.min(1, playhead.get() / duration) * width * scale) / scale : 0;
      if (x === last || !clip.current || !line.current) return;
      last = x;
      clip.current.style.transform = `translateX(${x - width}px)`;
      (clip.current.firstElementChild as SVGElement).style.transform = `translateX(${width - x}px)`;
      line.current.style.transform = `translateX(${Math.max(0, Math.min(x, width - 2))}px)`;
    }
    move();
    return playhead.subscribe(move);
  }, [playhead, duration, width]);
  return { clip, line };
}

interface PlayedProps {
  path: string;
  playhead: Playhead;
  duration: number;
  width: number;
}

/** The played part of a waveform, and the line at its end. */
export function Played({ path, playhead, duration, width }: PlayedProps) {
  const { clip, line } = useMoving(playhead, duration, width);
  return (
    <>
      <div ref={clip} className="p-played">
        <Bars path={path} />
      </div>
      <i ref={line} className="p-line" />
    </>
  );
}

/** The waveform, which is also a slider; drawn from the server's peaks. */
export function Waveform({ peaks, playhead, seconds, duration, label, onSeek }: Props) {
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const path = useMemo(() => pathOf(barsOf(peaks, Math.floor(width / barPitch)), barPitch, height), [peaks, width]);

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    if (event.buttons !== 1) return;
    const place = event.currentTarget.getBoundingClientRect();
    event.currentTarget.setPointerCapture(event.pointerId);
    onSeek(((event.clientX - place.left) / place.width) * duration);
  }
  function onKeyDown(event: KeyboardEvent) {
    const at = playhead.get();
    const to = { ArrowLeft: at - step, ArrowRight: at + step, Home: 0, End: duration }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSeek(to);
  }
  return (
    <div
      ref={box}
      className="p-wave"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={seconds}
      aria-valuetext={`${format.clock(seconds)} / ${format.clock(duration)}`}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKeyDown}
    >
      <Bars path={path} />
      <Played path={path} playhead={playhead} duration={duration} width={width} />
    </div>
  );
}
