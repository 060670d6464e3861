import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useLatest } from "@/lib/latest";
import { useToast } from "@/ui";
import type { Place } from "./undo";
import { newSpeaker, restoreTurn, setSpeaker, setText } from "./model";
import type { TurnActions } from "./TurnRow";
import type { ScriptStore } from "./scriptStore";
import type { ScriptFlow } from "./useScriptGeneration";

/** Returns the actions of a turn's controls. It keeps its identity, so that typing in one turn renders no other. */
export function useTurnActions(store: ScriptStore, flow: ScriptFlow, goTo: (place: Place) => void): TurnActions {
  const { t } = useTranslation("script");
  const toast = useToast();
  const latestFlow = useLatest(flow);
  const latestToast = useLatest(toast);
  const { change, state } = store;
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
        const before = state.get().document.turns;
        const at = before.findIndex((turn) => turn.id === id);
        const next = before[at + 1] ?? before[at - 1];
        change((s) => ({ ...s, turns: s.turns.filter((turn) => turn.id !== id) }));
        if (next) goTo({ id: next.id, caret: before[at + 1] ? 0 : next.text.length });
        latestToast()({
          text: t("turnDeleted"),
          action: { label: t("common:undo"), run: () => change((s) => restoreTurn(s, before, id)) },
        });
      },
      generate: (id) => {
        const turn = state.get().document.turns.find((other) => other.id === id);
        if (turn) void latestFlow().generateTurn(turn);
      },
      retry: (id) => latestFlow().retryTurn(id),
    }),
    [change, state, t, goTo, latestFlow, latestToast],
  );
}
