import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isAbort, type ApiError } from "@/api/errors";
import { enhanceTurns, type HostedEnhancedTurns } from "@/api/hosted";
import { useResetOnReconnect } from "@/api/resetOnReconnect";
import type { Profile } from "@/api/types";
import { useToast } from "@/ui";
import { enhanceable, voiceOf } from "./hosted";
import { setText, type ScriptContent } from "./model";
import type { ScriptStore } from "./scriptStore";

type Answer = HostedEnhancedTurns["turns"][number];
type TextOf = (turn: Answer) => string;

/** Replaces the texts that are still what `from` returns: a text that was edited since stays as it is. */
const replaceTexts = (script: ScriptContent, turns: readonly Answer[], from: TextOf, to: TextOf): ScriptContent =>
  turns.reduce(
    (now, turn) =>
      now.turns.some(({ id, text }) => id === turn.id && text === from(turn)) ? setText(now, turn.id, to(turn)) : now,
    script,
  );

const original: TextOf = (turn) => turn.original;
const enhanced: TextOf = (turn) => turn.text;

/** Inserts audio tags into all turns with a hosted voice of v3, as one step of undo. */
export function useEnhance(store: ScriptStore, voices: readonly Profile[]) {
  const { t } = useTranslation("script");
  const toast = useToast();
  const abort = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    return () => controller.abort();
  }, []);

  function report({ turns }: HostedEnhancedTurns): void {
    const changed = turns.filter((turn) => turn.text !== turn.original);
    const count = (reason: Answer["reason"]) => turns.filter((turn) => turn.reason === reason).length;
    const [byService, byWords] = [count("service"), count("words")];
    const sentences = [
      changed.length > 0 ? t("enhance.done", { count: changed.length }) : "",
      byService > 0 ? t("enhance.service", { count: byService }) : "",
      byWords > 0 ? t("enhance.words", { count: byWords }) : "",
    ].filter(Boolean);
    toast({
      text: sentences.join(" ") || t("enhance.none"),
      ...(changed.length > 0
        ? {
            action: {
              label: t("common:undo"),
              run: () => store.change((now) => replaceTexts(now, changed, enhanced, original), true),
            },
          }
        : {}),
    });
  }

  const run = useMutation<HostedEnhancedTurns, ApiError>({
    mutationFn: async () => {
      const script = store.state.get().document;
      const turns = enhanceable(script, voices).map((turn) => {
        const voice = voiceOf(script, turn, voices)?.hosted_voice_id;
        return { id: turn.id, text: turn.text, ...(voice ? { voice } : {}) };
      });
      const answer = await enhanceTurns(turns, abort.current.signal);
      const sent = new Map(turns.map(({ id, text }) => [id, text]));
      return { ...answer, turns: answer.turns.map((turn) => ({ ...turn, original: sent.get(turn.id) ?? "" })) };
    },
    onSuccess: (answer) => {
      store.change((now) => replaceTexts(now, answer.turns, original, enhanced), true);
      report(answer);
    },
  });
  useResetOnReconnect([run]);
  return {
    run: () => {
      if (!run.isPending) run.mutate();
    },
    isBusy: run.isPending,
    error: run.error && !isAbort(run.error) ? run.error : null,
  };
}

export type Enhance = ReturnType<typeof useEnhance>;
