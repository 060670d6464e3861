import { useRef, useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { useRecording } from "@/api/recordings";
import type { Recording } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useWidth } from "@/lib/useWidth";
import { partOfLevel, ProgressBar } from "@/ui";
import { TrimWave, WaveBars } from "./TrimWave";
import type { SoundState } from "./useSound";

const mostLevels = 200; // more than fit into the frame
const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");

/** The waveform of a recording while it is made, from its levels; the newest one is at the end. */
function LiveWave({ recording }: { recording: Recording }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [levels, setLevels] = useState<{ at: number; peaks: readonly number[] }>({ at: -1, peaks: [] });
  if (recording.seconds !== levels.at)
    setLevels({ at: recording.seconds, peaks: [...levels.peaks, partOfLevel(recording.peak_db)].slice(-mostLevels) });
  const count = Math.floor(width / 3);
  const shown = levels.peaks.slice(-count);
  return (
    <div ref={box} className="v-wave" aria-hidden>
      {count > 0 ? <WaveBars peaks={[...Array<number>(count - shown.length).fill(0), ...shown]} width={width} /> : null}
    </div>
  );
}

function Content({ sound, canTrim }: { sound: SoundState; canTrim: boolean }) {
  const { t } = useTranslation("samples");
  const recording = useRecording();
  const { check, part, isChecking, move } = sound;
  if (recording) return <LiveWave recording={recording} />;
  if (check && part)
    return (
      <TrimWave peaks={check.peaks} duration={check.duration} part={part} {...(canTrim ? { onMove: move } : {})} />
    );
  return (
    <div className="v-empty">
      {isChecking ? (
        <ProgressBar label={t("frame.checking")} value={null} text={t("frame.checking")} />
      ) : (
        <p>{t("frame.drop")}</p>
      )}
    </div>
  );
}

/** Says which recording this is, and how much of it is used. */
function Caption({ sound }: { sound: SoundState }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const { sound: source, check, part } = sound;
  if (!source || !check || !part) return <p className="v-caption">{"\u00a0"}</p>;
  const name = source.kind === "file" ? source.file.name : t("frame.recording");
  const value = (seconds: number) => format.number(seconds, { maximumFractionDigits: 1 });
  return (
    <p className="v-caption">
      <bdi className="truncate" title={name}>
        {name}
      </bdi>
      <span className="flex-none tabular-nums">
        {t("frame.used", { used: value(part.to - part.from), all: value(check.duration) })}
      </span>
    </p>
  );
}

interface Props {
  sound: SoundState;
  canTrim: boolean;
  onFile(file: File): void;
}

/** The waveform, in view in each step. A file can be dropped on it. */
export function WaveFrame({ sound, canTrim, onFile }: Props) {
  const [isOver, setOver] = useState(false);
  function over(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    setOver(true);
  }
  function drop(event: DragEvent): void {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    onFile(file);
  }
  return (
    <div
      className="v-frame"
      data-over={isOver ? "" : undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Content sound={sound} canTrim={canTrim} />
      <Caption sound={sound} />
    </div>
  );
}
