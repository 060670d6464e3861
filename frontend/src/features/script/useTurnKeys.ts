import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import { insertDialogue, parseDialogue } from "./dialogue";
import { cycleSpeaker, joinTurn, speakerOf, splitTurn, type ScriptContent } from "./model";
import type { TurnKeys } from "./TurnText";

/** The keys of a turn's text. They keep their identity, so that typing in one turn leaves the others alone. */
export function useTurnKeys(script: ScriptContent, change: (next: ScriptContent) => void, voices: readonly Profile[], fields: ReadonlyMap<string, HTMLTextAreaElement>) {
  const { t } = useTranslation("script");
  const [say, setSay] = useState("");
  const [place, setPlace] = useState<{ id: string; caret: number } | null>(null);
  const latest = useRef({ script, voices, change, t });
  useEffect(() => { latest.current = { script, voices, change, t }; });
  useEffect(() => {
    const field = place ? fields.get(place.id) : undefined;
    field?.focus();
    field?.setSelectionRange(place?.caret ?? 0, place?.caret ?? 0);
  }, [place, fields]);

  const keys = useMemo<TurnKeys>(() => ({
    cycle(id, step) {
      const now = latest.current;
      const next = cycleSpeaker(now.script, id, step);
      const turn = next.turns.find((other) => other.id === id);
      now.change(next);
      setSay(turn ? now.t("nowSpeaks", { name: speakerOf(next, turn)?.name ?? "" }) : "");
    },
    split(id, caret) {
      const { script: next, focus } = splitTurn(latest.current.script, id, caret);
      latest.current.change(next);
      setPlace({ id: focus, caret: focus === id ? caret : 0 });
    },
    join(id) {
      const joined = joinTurn(latest.current.script, id);
      if (!joined) return false;
      latest.current.change(joined.script);
      setPlace({ id: joined.focus, caret: joined.caret });
      return true;
    },
    paste(id, text) {
      const now = latest.current;
      const lines = parseDialogue(text);
      if (!lines) return false;
      const { script: next, focus } = insertDialogue(now.script, id, lines, now.voices);
      now.change(next);
      setPlace({ id: focus, caret: next.turns.find((turn) => turn.id === focus)?.text.length ?? 0 });
      setSay(now.t("pasted", { count: lines.length }));
      return true;
    },
    move(id, step) {
      const at = latest.current.script.turns.findIndex((turn) => turn.id === id) + step;
      const to = latest.current.script.turns[at];
      if (!to) return false;
      setPlace({ id: to.id, caret: step < 0 ? to.text.length : 0 });
      return true;
    },
  }), []);
  return { keys, say };
}
