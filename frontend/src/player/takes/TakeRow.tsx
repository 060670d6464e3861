import { Pause, Play } from "lucide-react";
import { useId, type KeyboardEvent, type Ref } from "react";
import { useTranslation } from "react-i18next";
import type { Take } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, IconButton, Tooltip, useCopy } from "@/ui";
import { TakeWave } from "./TakeWave";

interface Props {
  take: number;
  /** Undefined until it is known. */
  stored: Take | undefined;
  /** The seconds of the longest take, to which the waveforms are drawn. */
  longest: number;
  /** Its letter in the comparison. */
  letter: string;
  isChosen: boolean;
  /** Its controls are in the order of Tab. */
  isActive: boolean;
  isHeard: boolean;
  isLoading: boolean;
  isSaving: boolean;
  onToggle(): void;
  onChoose(): void;
  onMove(by: number): void;
  onFocus(): void;
  ref: Ref<HTMLInputElement>;
}

/** One take: the mark of the chosen one, its letter, waveform, length and seed, and buttons to hear and to choose it. */
export function TakeRow({
  take,
  stored,
  longest,
  letter,
  isChosen,
  isActive,
  isHeard,
  isLoading,
  isSaving,
  onToggle,
  onChoose,
  onMove,
  onFocus,
  ref,
}: Props) {
  const { t } = useTranslation("takes");
  const format = useFormat();
  const copy = useCopy();
  const id = useId();
  const number = take + 1;
  const isSilent = stored?.duration === null;
  const tabIndex = isActive ? 0 : -1;

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (by !== undefined) onMove(by);
    else if (event.key === " " && !isSilent) onToggle();
    else if (event.key === "Enter") onChoose();
    else if (event.key !== " ") return;
    event.preventDefault(); // a radio button would be chosen by Space and by arrows
  }
  const icon = isLoading ? (
    <span className="k-spin" aria-hidden />
  ) : isHeard ? (
    <Pause size={14} />
  ) : (
    <Play size={14} fill="currentColor" />
  );
  return (
    <div className="p-take-row" data-heard={isHeard ? "" : undefined}>
      <input
        ref={ref}
        id={id}
        type="radio"
        checked={isChosen}
        tabIndex={tabIndex}
        aria-describedby={`${id}-length`}
        onChange={onChoose}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => event.key === " " && event.preventDefault()}
        onFocus={onFocus}
      />
      <label htmlFor={id}>
        {t("take", { number })}
        {letter ? <span className="p-letter">{letter}</span> : null}
      </label>
      <TakeWave stored={stored} longest={longest} isHeard={isHeard} />
      <span id={`${id}-length`} className="p-length">
        {stored && !isSilent
          ? t("seconds", { seconds: format.number(stored.duration ?? 0, { maximumFractionDigits: 1 }) })
          : null}
      </span>
      <IconButton
        label={isSilent ? t("silent") : t(isHeard ? "stop" : "play", { number })}
        icon={icon}
        tabIndex={tabIndex}
        aria-disabled={isSilent || undefined}
        onClick={isSilent ? undefined : onToggle}
      />
      <span className="p-seed">
        {stored ? (
          <Tooltip text={t("copySeed")}>
            <button type="button" tabIndex={tabIndex} onClick={() => copy(String(stored.seed))}>
              {t("seed", { seed: stored.seed })}
            </button>
          </Tooltip>
        ) : null}
      </span>
      <span className="p-use">
        {isChosen ? (
          t("inUse")
        ) : (
          <Button kind="quiet" size="small" tabIndex={tabIndex} busy={isSaving} onClick={onChoose}>
            {t("use")}
          </Button>
        )}
      </span>
    </div>
  );
}
