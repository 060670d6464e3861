import { ChevronDown, ChevronUp, Pause, Play, SkipBack, SkipForward, X } from "lucide-react";
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isTranscript } from "@/api/transcriptions";
import { useCommands } from "@/lib/commands";
import { useFormat } from "@/i18n/format";
import { titleOrWords } from "@/lib/heading";
import { prefs } from "@/lib/prefs";
import { Button, ErrorBox, IconButton, Menu, Tooltip, useFocusOnRemoval, useToast } from "@/ui";
import { useDeviceMissing } from "./device";
import { Export } from "./Export";
import { useIsExportedElsewhere } from "./exportPlace";
import { Lane } from "./lane/Lane";
import { useLane } from "./lane/store";
import { usePlayerPeaks } from "./peaks";
import { playhead, usePlayer, usePlayhead, type Sound } from "./state";
import { player } from "./requests";
import { Takes } from "./Takes";
import { useTrack, type Track } from "./track";
import { VolumeButton } from "./Volume";
import { Waveform } from "./Waveform";

const rates = [0.5, 0.75, 1, 1.25, 1.5, 2];

function PlayButton({ playing }: { playing: boolean }) {
  const { t } = useTranslation();
  const name = playing ? t("player.pause") : t("player.play");
  const Icon = playing ? Pause : Play;
  return (
    <Tooltip text={name} shortcut="space">
      <button type="button" className="p-play" aria-label={name} onClick={player.toggle}>
        <Icon size={16} fill="currentColor" aria-hidden />
      </button>
    </Tooltip>
  );
}

type Peaks = ReturnType<typeof usePlayerPeaks>;

/** Returns the peaks to draw: the last ones while newer ones are read, as of a file of hours or after a change of the text. */
function useLastPeaks(growing: Peaks | null, stored: Peaks): Peaks {
  const [last, setLast] = useState<Peaks>(stored);
  const now = growing && growing.length > 0 ? growing : stored;
  if (now.length > 0 && now !== last) setLast(now);
  return now.length > 0 ? now : last;
}

/** The waveform between its two times: renders once a second, the playhead moves by itself. */
function Position({ generation, failed }: { generation: Sound; failed: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { duration, growing, waiting, playing } = usePlayer();
  const seconds = usePlayhead(Math.floor);
  const peaks = useLastPeaks(growing, usePlayerPeaks(generation));
  const lane = useLane(generation.id);
  const isMade = !growing || generation.status === "complete"; // it may still play as it was made, up to the next pause
  return (
    <>
      <time className="p-now">{format.clock(seconds)}</time>
      {failed ? (
        <p className="flex-1 text-danger" role="alert">
          {t("player.failed")}
        </p>
      ) : (
        <div className="p-waves">
          <Waveform
            peaks={peaks}
            playhead={playhead}
            seconds={seconds}
            duration={duration}
            label={t("player.position")}
            onSeek={player.seek}
          />
          {lane ? <Lane lane={lane} duration={duration} onSeek={player.seek} /> : null}
        </div>
      )}
      {waiting !== null && playing ? (
        <p className="p-wait" role="status">
          {t("player.waiting", { time: format.clock(waiting) })}
        </p>
      ) : null}
      <time>{isMade ? format.clock(duration) : t("player.soFar", { time: format.clock(duration) })}</time>
    </>
  );
}

function Rate() {
  const { t } = useTranslation();
  const format = useFormat();
  const { rate } = usePlayer();
  const text = (r: number) => `${format.number(r, { minimumFractionDigits: 1 })}×`;
  return (
    <Menu groups={[rates.map((r) => ({ label: text(r), checked: r === rate, onSelect: () => player.setRate(r) }))]}>
      <Button kind="quiet" size="small" className="p-rate" aria-label={t("player.rate", { rate: text(rate) })}>
        {text(rate)}
      </Button>
    </Menu>
  );
}

/** Says once that everything plays on the device of the system, because the chosen one is not there. */
function useMissingDevice(): void {
  const { t } = useTranslation();
  const toast = useToast();
  const isMissing = useDeviceMissing();
  const say = useEffectEvent(() =>
    toast({ text: t("player.deviceMissing", { device: prefs.get().outputDevice.label }) }),
  );
  useEffect(() => {
    if (isMissing) say();
  }, [isMissing]);
}

/** The player bar at the bottom; it appears with the first audio. */
export function PlayerBar() {
  const { t } = useTranslation();
  useMissingDevice();
  const { generation, playing, failed } = usePlayer();
  useCommands(
    generation
      ? [
          {
            id: "player:toggle",
            title: playing ? t("player.pause") : t("player.play"),
            shortcut: "space",
            run: player.toggle,
          },
          { id: "player:close", title: t("player.close"), run: player.close },
        ]
      : [],
  );
  return generation ? <Bar generation={generation} playing={playing} failed={failed} /> : null;
}

/** A button that goes to another chapter of the book that is heard. */
function StepButton({ name, icon, go }: { name: string; icon: ReactNode; go: (() => void) | null }) {
  return (
    <IconButton
      className="p-step"
      label={name}
      icon={icon}
      aria-disabled={go === null || undefined}
      onClick={go ?? undefined}
    />
  );
}

/** The play button, between those of the chapters of a book. */
function PlayButtons({ playing, track }: { playing: boolean; track: Track | null }) {
  const { t } = useTranslation();
  const [previous, next] = [t("player.previousChapter"), t("player.nextChapter")];
  useCommands([
    ...(track ? [{ id: "player:previous", title: previous, run: track.previous }] : []),
    ...(track?.next ? [{ id: "player:next", title: next, run: track.next }] : []),
  ]);
  return (
    <>
      {track ? <StepButton name={previous} icon={<SkipBack size={16} />} go={track.previous} /> : null}
      <PlayButton playing={playing} />
      {track ? <StepButton name={next} icon={<SkipForward size={16} />} go={track.next} /> : null}
    </>
  );
}

/** What plays: the title of a sound, or a chapter with its book, which a click opens. */
function Name({ generation, track }: { generation: Sound; track: Track | null }) {
  const name = track?.title ?? titleOrWords(generation, 80);
  return (
    <div className="p-name" title={track ? `${name}, ${track.album}` : name}>
      <p dir="auto">{name}</p>
      {track ? (
        <a href={track.href} dir="auto">
          {track.album}
        </a>
      ) : null}
    </div>
  );
}

/** Its buttons stay, and keep the focus, when it goes on to another sound. */
function Bar({ generation, playing, failed }: { generation: Sound; playing: boolean; failed: boolean }) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<{ id: string; error: unknown } | null>(null);
  const ref = useFocusOnRemoval();
  const toolsId = useId();
  const [isUnfolded, setUnfolded] = useState(false);
  const { id } = generation;
  const isExportedElsewhere = useIsExportedElsewhere(id);
  const track = useTrack(id);
  return (
    <section ref={ref} className="p-player" aria-label={t("player.title")}>
      {problem?.id === id ? (
        <div className="p-problem">
          <ErrorBox
            error={problem.error}
            action={<IconButton label={t("close")} icon={<X size={14} />} onClick={() => setProblem(null)} />}
          />
        </div>
      ) : null}
      <div className="p-bar" data-folded={isUnfolded ? undefined : ""}>
        <PlayButtons playing={playing} track={track} />
        <Name generation={generation} track={track} />
        <Position key={id} generation={generation} failed={failed} />
        <IconButton
          className="p-fold"
          label={t("player.controls")}
          icon={isUnfolded ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
          aria-expanded={isUnfolded}
          aria-controls={toolsId}
          onClick={() => setUnfolded(!isUnfolded)}
        />
        <div className="p-tools" id={toolsId}>
          <Rate />
          <Takes key={`takes ${id}`} generation={generation} />
          <VolumeButton />
          {isExportedElsewhere || isTranscript(id) || generation.status !== "complete" ? null : (
            <Export
              key={`export ${id}`}
              generation={generation}
              onProblem={(error) => setProblem(error ? { id, error } : null)}
            />
          )}
          <IconButton label={t("player.close")} icon={<X size={16} />} onClick={player.close} />
        </div>
      </div>
    </section>
  );
}
