import { useTranslation } from "react-i18next";
import type { Generation } from "@/api/types";
import { useWaitText } from "@/features/hosted";
import { useFormat } from "@/i18n/format";
import { player } from "@/player";
import { isDialogue } from "./hosted";

export type TurnState = "none" | "changed" | "made" | "waiting" | "generating" | "failed" | "stopped";

const dots: Record<TurnState, string> = {
  none: "invisible",
  changed: "border-2 border-ink-3",
  made: "bg-ink-3",
  waiting: "border-2 border-accent",
  generating: "bg-accent motion-safe:animate-pulse",
  failed: "bg-danger",
  stopped: "border-2 border-warn",
};

interface Props {
  state: TurnState;
  generation: Generation | undefined;
  n: number;
  playing: "playing" | "paused" | "other";
  isPlayingNow: boolean;
}

/** The audio state of a turn, in the margin; a click plays it. */
export function TurnMark({ state, generation, n, playing, isPlayingNow }: Props) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const isPending = state === "waiting" || state === "generating";
  const waiting = useWaitText(isPending ? (generation?.wait ?? null) : null);
  const stateText = waiting || t(`states.${state}`, { part: format.percent(generation?.progress ?? 0) });
  const dot = (
    <span aria-hidden className={isPlayingNow ? "h-4 w-1 rounded-s bg-accent" : `size-2 rounded-full ${dots[state]}`} />
  );
  const place = "grid h-[1.7rem] w-6 place-items-center"; // the line height of the text
  const hasSound = generation?.status === "complete" || (state === "generating" && !waiting);
  if (!generation || !hasSound)
    return (
      <span className={place} title={state === "none" ? undefined : stateText}>
        {dot}
        <span className="sr-only">{stateText}</span>
      </span>
    );
  const key = playing === "playing" ? "pauseTurn" : "playTurn";
  const label = isDialogue(generation) ? t(`dialogue.${key}`, { n }) : t(key, { n });
  return (
    <button
      type="button"
      className={`${place} rounded-m hover:bg-fill`}
      aria-label={`${label}: ${stateText}`}
      title={`${label} · ${stateText}`}
      onClick={() => {
        if (playing !== "other") player.toggle();
        else if (state === "generating") player.follow(generation, { play: true, busy: () => false });
        else player.load(generation, { play: true, at: 0 });
      }}
    >
      {dot}
    </button>
  );
}
