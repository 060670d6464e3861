import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from "react";
import { useFormat } from "@/i18n/format";

interface Props { peaks: readonly (readonly number[])[]; at: number; duration: number; label: string; onSeek(seconds: number): void }

const step = 5; // seconds of an arrow key
const pitch = 3; // pixels from bar to bar

function draw(canvas: HTMLCanvasElement, peaks: readonly (readonly number[])[], part: number): void {
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  const scale = window.devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * scale;
  canvas.height = height * scale;
  ctx.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const [played, rest] = [style.getPropertyValue("--accent"), style.getPropertyValue("--wave")];
  const bars = Math.floor(width / pitch);
  for (let i = 0; i < bars; i++) {
    const from = Math.floor((i * peaks.length) / bars);
    const to = Math.max(from + 1, Math.floor(((i + 1) * peaks.length) / bars));
    const loud = Math.max(0, ...peaks.slice(from, to).flat().map(Math.abs));
    const size = Math.max(2, Math.min(1, loud) * (height - 4));
    ctx.fillStyle = i / bars < part ? played : rest;
    ctx.fillRect(i * pitch, (height - size) / 2, 2, size);
  }
  ctx.fillStyle = played;
  ctx.fillRect(Math.min(width - 2, part * width), 0, 2, height);
}

/** The sound as a picture that is also a slider; drawn from peaks of the server. */
export function Waveform({ peaks, at, duration, label, onSeek }: Props) {
  const format = useFormat();
  const canvas = useRef<HTMLCanvasElement>(null);
  const part = duration > 0 ? at / duration : 0;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const paint = () => draw(element, peaks, part);
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    return () => observer.disconnect();
  }, [peaks, part]);

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    if (event.buttons !== 1) return;
    const box = event.currentTarget.getBoundingClientRect();
    event.currentTarget.setPointerCapture(event.pointerId);
    onSeek(((event.clientX - box.left) / box.width) * duration);
  }
  function onKeyDown(event: KeyboardEvent) {
    const to = { ArrowLeft: at - step, ArrowRight: at + step, Home: 0, End: duration }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSeek(to);
  }
  return (
    <div className="p-wave" role="slider" tabIndex={0} aria-label={label} aria-valuemin={0} aria-valuemax={Math.round(duration)} aria-valuenow={Math.round(at)}
      aria-valuetext={`${format.clock(at)} / ${format.clock(duration)}`} onPointerDown={onPointer} onPointerMove={onPointer} onKeyDown={onKeyDown}>
      <canvas ref={canvas} aria-hidden />
    </div>
  );
}
