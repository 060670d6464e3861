import { AudioLines, MoreHorizontal, RotateCw } from "lucide-react";
import { memo, useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import type { Generation } from "@/api/types";
import { usePlaying } from "@/player";
import { Button, cx, ErrorBox, IconButton, Menu } from "@/ui";
import type { Match } from "@/features/find";
import { isDialogue } from "./hosted";
import type { Speaker, Turn } from "./model";
import { TurnTakes, useTurnTakes } from "./TurnTakes";
import { TurnMark, type TurnState } from "./TurnMark";
import { TurnText, type TurnKeys } from "./TurnText";

export interface TurnActions {
  setText(id: string, text: string): void;
  setSpeaker(id: string, speakerId: string): void;
  addSpeaker(turnId: string): void;
  remove(id: string): void;
  /** Generates this turn only. */
  generate(id: string): void;
  retry(id: string): void;
}

interface Props {
  turn: Turn;
  n: number;
  speaker: Speaker;
  speakers: readonly Speaker[];
  generation: Generation | undefined;
  state: TurnState;
  /** It is the first turn of its generation: the others of a dialogue do not repeat the error. */
  showsFailure: boolean;
  /** Its voice takes any audio tag. */
  hasAllTags: boolean;
  /** Of the voice of the speaker. */
  language: string | undefined;
  /** It has text without audio. */
  needsAudio: boolean;
  /** Its audio has been requested. */
  isBusy: boolean;
  /** The joined audio is playing it. */
  isPlaying: boolean;
  found: readonly Match[];
  currentMatch: Match | undefined;
  isFirst: boolean;
  isLast: boolean;
  keys: TurnKeys;
  actions: TurnActions;
  /** Registers the field of a turn, so that keys can move the focus between turns. */
  register(id: string, element: HTMLTextAreaElement | null): void;
}

const shownOnHover =
  "opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 data-[state=open]:opacity-100 aria-busy:opacity-100 [@media(hover:none)]:opacity-100";

/** Generates a turn without audio, or another take of it. */
function GenerateTurnButton({ turn, n, state, generation, needsAudio, isBusy, actions }: Props) {
  const { t } = useTranslation("script");
  const isAgain = state === "made" && generation?.status === "complete" && !isDialogue(generation);
  if (!needsAudio && !isAgain && !isBusy) return null;
  const icon = isBusy ? (
    <span className="k-spin" aria-hidden />
  ) : state === "none" ? (
    <AudioLines size={16} />
  ) : (
    <RotateCw size={16} />
  );
  return (
    <IconButton
      label={needsAudio ? t("speakTurn", { n }) : t("againTurn", { n })}
      className={needsAudio ? "" : shownOnHover}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      icon={icon}
      onClick={() => actions.generate(turn.id)}
    />
  );
}

/** Before the text in the order of Tab, because Tab in the text changes the speaker. */
function TurnButtons({ takes, ...props }: Props & { takes: ReturnType<typeof useTurnTakes> }) {
  const { turn, n, isFirst, isLast, keys, actions } = props;
  const { t } = useTranslation("script");
  const order = [
    { label: t("moveUp"), shortcut: "alt+arrowup", disabled: isFirst, onSelect: () => keys.moveTurn(turn.id, -1) },
    { label: t("moveDown"), shortcut: "alt+arrowdown", disabled: isLast, onSelect: () => keys.moveTurn(turn.id, 1) },
  ];
  const only = isFirst && isLast;
  const groups = [
    only ? [] : order,
    [{ label: t("pauseHere"), shortcut: "mod+b", onSelect: () => keys.pause(turn.id) }],
    takes.has
      ? [{ label: t(takes.isShown ? "hideTakes" : "showTakes"), onSelect: () => takes.setShown(!takes.isShown) }]
      : [],
    only ? [] : [{ label: t("deleteTurn", { n }), danger: true, onSelect: () => actions.remove(turn.id) }],
  ];
  return (
    <div className="flex h-[1.7rem] items-center justify-end max-narrow:col-start-3 max-narrow:row-start-2 narrow:col-start-4 narrow:row-start-1">
      <GenerateTurnButton {...props} />
      <Menu groups={groups}>
        <IconButton label={t("moreTurn", { n })} className={shownOnHover} icon={<MoreHorizontal size={16} />} />
      </Menu>
    </div>
  );
}

/** One turn: mark, speaker, text and audio actions. Typing in one renders no other. */
export const TurnRow = memo(function TurnRow(props: Props) {
  const { turn, n, speaker, speakers, generation, state, keys, actions, register } = props;
  const { t } = useTranslation("script");
  const chip = useRef<HTMLButtonElement>(null);
  const ref = useCallback((element: HTMLTextAreaElement | null) => register(turn.id, element), [register, turn.id]);
  const playing = usePlaying(generation?.id);
  const takes = useTurnTakes(generation);
  const isPlaying = props.isPlaying || playing === "playing";
  const failed = state === "failed" && props.showsFailure && generation?.error ? failureOf(generation.error) : null;
  return (
    <li
      aria-current={isPlaying || undefined}
      className={`sp-${speaker.hue} group/turn grid scroll-my-10 grid-cols-[24px_minmax(0,1fr)_56px] gap-x-3 py-2.5 narrow:grid-cols-[24px_128px_minmax(0,1fr)_56px]`}
    >
      <TurnMark state={state} generation={generation} n={n} playing={playing} isPlayingNow={isPlaying} />
      <div className="flex h-[1.7rem] items-center max-narrow:col-span-2 narrow:justify-end">
        <Menu
          align="start"
          groups={[
            speakers.map((s) => ({
              label: s.name,
              checked: s.id === speaker.id,
              onSelect: () => actions.setSpeaker(turn.id, s.id),
            })),
            [{ label: t("addSpeaker"), onSelect: () => actions.addSpeaker(turn.id) }],
          ]}
        >
          <button
            ref={chip}
            type="button"
            className="k-chip max-w-full min-w-0 shrink"
            data-tone="speaker"
            onKeyDown={(event) => {
              if (event.key === "Escape") keys.focusText(turn.id);
            }}
            aria-label={t("speakerOf", { name: speaker.name, n })}
          >
            <span className="truncate leading-normal" dir="auto">
              {speaker.name}
            </span>
          </button>
        </Menu>
      </div>
      <TurnButtons {...props} takes={takes} />
      <div className="min-w-0 border-s-2 border-[var(--speaker)] ps-4 max-narrow:col-start-2 max-narrow:row-start-2 narrow:col-start-3 narrow:row-start-1">
        <div className={cx("-mx-1.5 rounded-s px-1.5", isPlaying && "bg-accent-soft")}>
          <TurnText
            id={turn.id}
            text={turn.text}
            label={t("textOf", { n, name: speaker.name })}
            describedBy="script-keys"
            hasAllTags={props.hasAllTags}
            language={props.language}
            found={props.found}
            currentMatch={props.currentMatch}
            placeholder={n === 1 ? t("firstPlaceholder") : ""}
            chip={() => chip.current}
            keys={keys}
            onChange={(text) => actions.setText(turn.id, text)}
            ref={ref}
          />
        </div>
        {takes.isShown && generation ? (
          <TurnTakes generation={generation} n={n} onHide={() => takes.setShown(false)} />
        ) : null}
        {failed && generation ? (
          <div className="mt-2">
            <ErrorBox
              error={failed}
              action={
                <Button size="small" onClick={() => actions.retry(generation.id)}>
                  {t("common:retry")}
                </Button>
              }
            />
          </div>
        ) : null}
        {state === "stopped" && props.showsFailure && generation ? (
          <p className="mt-1 flex items-center gap-2 text-12 text-ink-2">
            {t("states.stopped")}
            <Button size="small" onClick={() => actions.retry(generation.id)}>
              {t("common:retry")}
            </Button>
          </p>
        ) : null}
      </div>
    </li>
  );
});
