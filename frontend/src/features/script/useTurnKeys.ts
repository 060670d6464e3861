import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useToast } from "@/ui";
import { insertDialogue, parseDialogue } from "./dialogue";
import { cycleSpeaker, joinTurn, maxCharacters, maxTurns, roomIn, speakerOf, splitTurn, type ScriptContent } from "./model";
import type { TurnKeys } from "./TurnText";

/** The fields of all turns can be reached by Tab again. */
function stops(fields: ReadonlyMap<string, HTMLTextAreaElement>): void {
  for (const field of fields.values()) field.tabIndex = 0;
}

/** The keys of a turn's text. They keep their identity, so that typing in one turn leaves the others alone. */
export function useTurnKeys(script: ScriptContent, change: (next: ScriptContent) => void, voices: readonly Profile[], fields: ReadonlyMap<string, HTMLTextAreaElement>) {
  const { t } = useTranslation("script");
  const [say, setSay] = useState("");
  const at = useRef("");
  const [place, setPlace] = useState<{ id: string; caret: number } | null>(null);
  const toast = useToast();
  const format = useFormat();
  const latest = useRef({ script, voices, change, t, toast, format });
  useEffect(() => { latest.current = { script, voices, change, t, toast, format }; });
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
      const { t, format, toast } = latest.current;
      const { script: next, focus } = splitTurn(latest.current.script, id, caret);
      if (focus === id) toast({ text: t("full", { turns: format.number(maxTurns) }) });
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
      const { script: next, focus, left } = insertDialogue(now.script, id, lines, now.voices);
      now.change(next);
      setPlace({ id: focus, caret: next.turns.find((turn) => turn.id === focus)?.text.length ?? 0 });
      setSay(now.t("pasted", { count: lines.length - left }));
      const number = now.format.number;
      if (left > 0) now.toast({ text: now.t("turnsCut", { count: left, left: number(left), turns: number(maxTurns), characters: number(maxCharacters) }) });
      return true;
    },
    leave(id) {
      at.current = id;
      for (const field of fields.values()) field.tabIndex = -1; // Tab would be taken by the next one
    },
    enter(id) {
      at.current = id;
      stops(fields);
    },
    back: (id) => fields.get(id)?.focus(),
    stopLeaving: () => stops(fields),
    room: () => roomIn(latest.current.script),
    cut(characters) {
      const { t, format, toast } = latest.current;
      toast({ text: t("cut", { limit: format.number(maxCharacters), left: format.number(characters) }) });
    },
    move(id, step) {
      const at = latest.current.script.turns.findIndex((turn) => turn.id === id) + step;
      const to = latest.current.script.turns[at];
      if (!to) return false;
      setPlace({ id: to.id, caret: step < 0 ? to.text.length : 0 });
      return true;
    },
  }), [fields]);
  /** The turn that is written in, or was last. */
  const current = () => script.turns.find((turn) => turn.id === at.current);
  return { keys, say, current };
}
