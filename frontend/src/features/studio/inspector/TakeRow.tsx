import { Pause, Play } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { audition, secondsOf, stopAudition, useAuditionState, type TakeOf } from "@/player";
import { IconButton } from "@/ui";

interface Props {
  of: TakeOf;
  /** The length of the take in the current file. */
  storedSeconds: number | undefined;
  letter: string;
  isChosen: boolean;
  children: ReactNode;
  onHear(): void;
}

/** One take: its letter in a comparison, its length if known, and its audio, which stops at the end of the chunk. */
export function TakeRow({ of, letter, storedSeconds, isChosen, children, onHear }: Props) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const state = useAuditionState(of);
  const number = of.take + 1;
  const seconds = storedSeconds ?? secondsOf(of); // read again after it was played
  function toggle() {
    if (state) return stopAudition();
    onHear();
    void audition(of);
  }
  const icon =
    state === "loading" ? <span className="k-spin" aria-hidden /> : state ? <Pause size={14} /> : <Play size={14} />;
  return (
    <li className="st-take" data-chosen={isChosen ? "" : undefined} aria-current={isChosen || undefined}>
      {letter ? <span className="st-letter">{letter}</span> : null}
      <span className="flex-1 whitespace-nowrap">{t("takes.take", { number })}</span>
      <span className="ms-auto flex items-center gap-2">
        {children}
        {seconds === undefined ? null : (
          <span className="text-12 whitespace-nowrap text-ink-3">
            {t("takes.seconds", { seconds: format.number(seconds, { maximumFractionDigits: 1 }) })}
          </span>
        )}
        <IconButton label={t(state ? "takes.stop" : "takes.play", { number })} icon={icon} onClick={toggle} />
      </span>
    </li>
  );
}
