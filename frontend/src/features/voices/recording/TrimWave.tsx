import { useEffect, useMemo, useRef, type KeyboardEvent, type PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Part } from "@/api/samples";
import { useFormat } from "@/i18n/format";
import { useWidth } from "@/lib/useWidth";
import { barsOf, clipHead, pathOf, useClipState } from "@/player";

const pitch = 3; // pixels between bars
export const waveHeight = 64; // pixels, as in recording.css
/** The id of the clip that plays the part. */
export const partId = "recording";
const fine = 0.1; // seconds per arrow key press
const coarse = 1; // seconds, with Shift or by Page Up and Page Down

interface Props {
  /** From 0 to 1 each. */
  peaks: readonly number[];
  duration: number;
  part: Part;
  /** Left out where the part is only shown. */
  onMove?: ((end: "from" | "to", seconds: number) => void) | undefined;
}

/** Returns the seconds by which a key moves a handle. */
function stepOf({ key, shiftKey }: KeyboardEvent): number | undefined {
  const step = shiftKey ? coarse : fine;
  return {
    ArrowLeft: -step,
    ArrowDown: -step,
    ArrowRight: step,
    ArrowUp: step,
    PageDown: -coarse,
    PageUp: coarse,
    Home: -Infinity,
    End: Infinity,
  }[key];
}

function Handle({ end, props }: { end: "from" | "to"; props: Props & Required<Pick<Props, "onMove">> }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const { part, duration, onMove } = props;
  const value = part[end];
  const text = t("seconds", { value: format.number(value, { maximumFractionDigits: 1 }) });
  function onPointer(event: PointerEvent<HTMLElement>): void {
    if (event.buttons !== 1) return;
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    event.currentTarget.setPointerCapture(event.pointerId);
    if (frame && frame.width > 0) onMove?.(end, ((event.clientX - frame.left) / frame.width) * duration);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = stepOf(event);
    if (step === undefined) return;
    event.preventDefault();
    onMove?.(end, Math.min(duration, Math.max(0, value + step)));
  }
  return (
    <span
      className="v-handle"
      data-end={end}
      role="slider"
      tabIndex={0}
      aria-label={t(`handle.${end}`)}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration * 10) / 10}
      aria-valuenow={Math.round(value * 10) / 10}
      aria-valuetext={text}
      style={{ left: `${(value / duration) * 100}%` }}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKeyDown}
    />
  );
}

/** The line of the playhead while the part plays, moved without rendering. */
function Line({ duration }: { duration: number }) {
  const isPlaying = useClipState(partId) === "playing";
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    const move = () => {
      if (line.current) line.current.style.left = `${(clipHead.get() / duration) * 100}%`;
    };
    move();
    return clipHead.subscribe(move);
  }, [duration]);
  return <i ref={line} className="v-line" hidden={!isPlaying} />;
}

/** Bars from 0 to 1 that fill the width. */
export function WaveBars({ peaks, width }: { peaks: readonly number[]; width: number }) {
  const path = useMemo(
    () =>
      pathOf(
        barsOf(
          peaks.map((peak) => [peak]),
          Math.floor(width / pitch),
        ),
        pitch,
        waveHeight,
      ),
    [peaks, width],
  );
  return (
    <svg className="v-bars" aria-hidden>
      <path d={path} />
    </svg>
  );
}

/** The waveform with the part that is used; what is outside of it is dimmed. Times run from left to right in every language. */
export function TrimWave(props: Props) {
  const { peaks, duration, part, onMove } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const percent = (seconds: number) => `${(seconds / duration) * 100}%`;
  return (
    <div ref={box} className="v-wave">
      <WaveBars peaks={peaks} width={width} />
      <span className="v-outside" style={{ left: 0, width: percent(part.from) }} />
      <span className="v-outside" style={{ left: percent(part.to), right: 0 }} />
      <Line duration={duration} />
      {onMove ? (
        <>
          <Handle end="from" props={{ ...props, onMove }} />
          <Handle end="to" props={{ ...props, onMove }} />
        </>
      ) : null}
    </div>
  );
}
