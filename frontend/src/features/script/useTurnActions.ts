import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useToast } from "@/ui";
import type { Place } from "./undo";
import { newSpeaker, restoreTurn, setSpeaker, setText, type ScriptContent } from "./model";
import type { TurnActions } from "./TurnRow";
import type { ScriptFlow } from "./useScriptGeneration";

type Change = (next: (before: ScriptContent) => ScriptContent) => void;

/** What the controls of a turn do. They keep their identity, so that typing in one turn leaves the others alone. */
export function useTurnActions(
  script: ScriptContent,
  change: Change,
  flow: ScriptFlow,
  goTo: (place: Place) => void,
): TurnActions {
  const { t } = useTranslation("script");
  const toast = useToast();
  const latest = useRef({ script, flow, toast });
  useEffect(() => {
    latest.current = { script, flow, toast };
  });
  return useMemo<TurnActions>(
    () => ({
      setText: (id, text) => change((s) => setText(s, id, text)),
      setSpeaker: (id, speakerId) => change((s) => setSpeaker(s, id, speakerId)),
      addSpeaker: (turnId) =>
        change((s) => {
          const speaker = newSpeaker(
            s.speakers,
            t("speakerN", { n: s.speakers.length + 1 }),
            s.speakers[0]?.profileId ?? "",
          );
          return setSpeaker({ ...s, speakers: [...s.speakers, speaker] }, turnId, speaker.id);
        }),
      remove: (id) => {
        const before = latest.current.script.turns;
        const at = before.findIndex((turn) => turn.id === id);
        const next = before[at + 1] ?? before[at - 1];
        change((s) => ({ ...s, turns: s.turns.filter((turn) => turn.id !== id) }));
        if (next) goTo({ id: next.id, caret: before[at + 1] ? 0 : next.text.length });
        latest.current.toast({
          text: t("turnDeleted"),
          action: { label: t("common:undo"), run: () => change((s) => restoreTurn(s, before, id)) },
        });
      },
      generate: (id) => {
        const turn = latest.current.script.turns.find((other) => other.id === id);
        if (turn) void latest.current.flow.generateTurn(turn);
      },
      retry: (id) => latest.current.flow.retryTurn(id),
    }),
    [change, t, goTo],
  );
}
