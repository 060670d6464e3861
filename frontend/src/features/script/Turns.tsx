import { useTranslation } from "react-i18next";
import type { Generation, Profile } from "@/api/types";
import { Kbd } from "@/ui";
import { isV3, voiceOf } from "./hosted";
import { hasWords, soundOf, speakerOf, type ScriptContent, type Turn } from "./model";
import type { TurnState } from "./TurnMark";
import { TurnRow, type TurnActions } from "./TurnRow";
import type { TurnKeys } from "./TurnText";
import type { ScriptFind } from "./useFind";
import type { ScriptFlow } from "./useScriptGeneration";

function stateOf(script: ScriptContent, turn: Turn, generation: Generation | undefined): TurnState {
  const sound = soundOf(script, turn);
  if (sound !== "made" || !generation) return sound === "changed" ? "changed" : "none";
  const states: Partial<Record<Generation["status"], TurnState>> = {
    complete: "made",
    failed: "failed",
    cancelled: "stopped",
    generating: "generating",
  };
  return states[generation.status] ?? "waiting";
}

interface Props {
  script: ScriptContent;
  voices: readonly Profile[];
  flow: ScriptFlow;
  keys: TurnKeys;
  actions: TurnActions;
  find: ScriptFind;
  register(id: string, element: HTMLTextAreaElement | null): void;
  /** The turn that the joined audio is playing. */
  playing: string | undefined;
}

/** All turns, one below the other. */
export function Turns({ script, voices, flow, keys, actions, find, register, playing }: Props) {
  const { t } = useTranslation("script");
  const last = script.turns.length - 1;
  return (
    <ol
      aria-label={t("turnsLabel")}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) keys.restoreTabOrder();
      }}
    >
      {script.turns.map((turn, i) => {
        const speaker = speakerOf(script, turn) ?? script.speakers[0];
        const generation = flow.generationOf(turn);
        const state = stateOf(script, turn, generation);
        if (!speaker) return null;
        return (
          <TurnRow
            key={turn.id}
            turn={turn}
            n={i + 1}
            speaker={speaker}
            speakers={script.speakers}
            generation={generation}
            showsFailure={script.turns.find((other) => flow.generationOf(other) === generation) === turn}
            state={state}
            hasAllTags={isV3(voiceOf(script, turn, voices))}
            language={voiceOf(script, turn, voices)?.language}
            keys={keys}
            actions={actions}
            register={register}
            needsAudio={
              (state === "none" || state === "changed") && hasWords(turn) && !flow.isReading && !flow.isRequesting
            }
            isBusy={flow.isBusy(turn)}
            isPlaying={turn.id === playing}
            found={find.matchesOf(turn)}
            currentMatch={find.currentIn(turn)}
            isFirst={i === 0}
            isLast={i === last}
          />
        );
      })}
    </ol>
  );
}

/** The shortcuts of the turn texts. */
export function KeyHints() {
  const { t } = useTranslation("script");
  return (
    <p id="script-keys" className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-ink-3">
      <span>
        <Kbd keys="tab" /> {t("keys.speaker")}
      </span>
      <span>
        <Kbd keys="enter" /> {t("keys.turn")}
      </span>
      <span>
        <Kbd keys="alt+arrowup" /> <Kbd keys="arrowdown" /> {t("keys.move")}
      </span>
      <span>
        <Kbd keys="mod+b" /> {t("keys.pause")}
      </span>
      <span>
        <Kbd keys="escape" /> {t("keys.leave")}
      </span>
      <span>{t("keys.paste")}</span>
    </p>
  );
}
