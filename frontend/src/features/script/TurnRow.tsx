import { RotateCw, Trash2 } from "lucide-react";
import { memo, useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import type { Generation } from "@/api/types";
import { ErrorBox, Button, IconButton, Menu } from "@/ui";
import type { Speaker, Turn } from "./model";
import { TurnMark, type TurnState } from "./TurnMark";
import { TurnText, type TurnKeys } from "./TurnText";

export interface TurnDeeds {
  setText(id: string, text: string): void;
  setSpeaker(id: string, speakerId: string): void;
  addSpeaker(turnId: string): void;
  remove(id: string): void;
  again(generation: Generation): void;
  retry(id: string): void;
}

interface Props {
  turn: Turn;
  n: number;
  speaker: Speaker;
  speakers: readonly Speaker[];
  generation: Generation | undefined;
  state: TurnState;
  makingAgain: boolean;
  isOnly: boolean;
  keys: TurnKeys;
  deeds: TurnDeeds;
  /** Tells where the field of a turn is, so that keys can go from one to the next. */
  register(id: string, element: HTMLTextAreaElement | null): void;
}

/** They come before the words in the order of Tab, which is taken in the words. */
function Actions({ turn, n, generation, state, makingAgain, isOnly, deeds }: Props) {
  const { t } = useTranslation("script");
  return (
    <div className="flex items-start justify-end max-narrow:col-start-3 max-narrow:row-start-2 narrow:col-start-4 narrow:row-start-1 opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 aria-busy:opacity-100 [@media(hover:none)]:opacity-100" aria-busy={makingAgain || undefined}>
      {generation?.status === "complete" && state === "made" ? <IconButton label={t("againTurn", { n })} aria-disabled={makingAgain || undefined} icon={makingAgain ? <span className="k-spin" aria-hidden /> : <RotateCw size={16} />} onClick={() => { if (!makingAgain) deeds.again(generation); }} /> : null}
      {isOnly ? null : <IconButton label={t("deleteTurn", { n })} icon={<Trash2 size={16} />} onClick={() => deeds.remove(turn.id)} />}
    </div>
  );
}

/** One turn: mark, who speaks, the words, and what can be done with its sound. Typing in one leaves the others alone. */
export const TurnRow = memo(function TurnRow(props: Props) {
  const { turn, n, speaker, speakers, generation, state, keys, deeds, register } = props;
  const { t } = useTranslation("script");
  const chip = useRef<HTMLButtonElement>(null);
  const ref = useCallback((element: HTMLTextAreaElement | null) => register(turn.id, element), [register, turn.id]);
  const failed = state === "failed" && generation?.error ? failureOf(generation.error) : null;
  return (
    <li className={`sp-${speaker.hue} group/turn grid grid-cols-[24px_minmax(0,1fr)_56px] gap-x-3 py-2.5 narrow:grid-cols-[24px_128px_minmax(0,1fr)_56px]`}>
      <TurnMark state={state} generation={generation} n={n} />
      <div className="max-narrow:col-span-2 narrow:text-end">
        <Menu align="start" groups={[speakers.map((s) => ({ label: s.name, checked: s.id === speaker.id, onSelect: () => deeds.setSpeaker(turn.id, s.id) })), [{ label: t("addSpeaker"), onSelect: () => deeds.addSpeaker(turn.id) }]]}>
          <button ref={chip} type="button" className="k-chip mt-1 max-w-full" data-tone="speaker" onKeyDown={(event) => { if (event.key === "Escape") keys.back(turn.id); }} aria-label={t("speakerOf", { name: speaker.name, n })}><span className="truncate leading-normal" dir="auto">{speaker.name}</span></button>
        </Menu>
      </div>
      <Actions {...props} />
      <div className="min-w-0 border-s-2 border-[var(--speaker)] ps-4 max-narrow:col-start-2 max-narrow:row-start-2 narrow:col-start-3 narrow:row-start-1">
        <TurnText id={turn.id} text={turn.text} label={t("textOf", { n, name: speaker.name })} describedBy="script-keys" placeholder={n === 1 ? t("firstPlaceholder") : ""}
          chip={() => chip.current} keys={keys} onChange={(text) => deeds.setText(turn.id, text)} ref={ref} />
        {failed && generation ? <div className="mt-2"><ErrorBox error={failed} action={<Button size="small" onClick={() => deeds.retry(generation.id)}>{t("common:retry")}</Button>} /></div> : null}
        {state === "stopped" && generation ? <p className="mt-1 flex items-center gap-2 text-12 text-ink-2">{t("states.stopped")}<Button size="small" onClick={() => deeds.retry(generation.id)}>{t("common:retry")}</Button></p> : null}
      </div>
    </li>
  );
});
