import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useToast } from "@/ui";
import type { Place } from "./undo";
import type { ScriptContent } from "./model";
import { editKeys, pasteKeys, type KeyContext } from "./turnKeys";
import type { TurnKeys } from "./TurnText";

type Fields = ReadonlyMap<string, HTMLTextAreaElement>;

/** The fields of all turns can be reached by Tab again. */
function stops(fields: Fields): void {
  for (const field of fields.values()) field.tabIndex = 0;
}

/** Keys that only move the focus; `at` is the turn that is written in, or was last. */
function focusKeys(
  fields: Fields,
  at: { current: string },
): Pick<TurnKeys, "leaveText" | "onTextFocus" | "focusText" | "restoreTabOrder"> {
  return {
    leaveText(id) {
      at.current = id;
      for (const field of fields.values()) field.tabIndex = -1; // Tab would be taken by the next one
    },
    onTextFocus(id) {
      at.current = id;
      stops(fields);
    },
    focusText: (id) => fields.get(id)?.focus(),
    restoreTabOrder: () => stops(fields),
  };
}

/** The keys of a turn's text. They keep their identity, so that typing in one turn leaves the others alone. */
export function useTurnKeys(
  script: ScriptContent,
  change: (next: ScriptContent) => void,
  voices: readonly Profile[],
  fields: Fields,
) {
  const { t } = useTranslation("script");
  const [spoken, setSpoken] = useState({ words: "", n: 0 });
  const at = useRef("");
  const [place, setPlace] = useState<Place | null>(null);
  const toast = useToast();
  const format = useFormat();
  // The same words twice are told twice: a space makes them others.
  const say = useCallback((words: string) => setSpoken(({ n }) => ({ words, n: n + 1 })), []);
  const now: KeyContext = {
    script,
    voices,
    change,
    t,
    format,
    toast,
    say,
    goTo: setPlace,
    caret: (id) => (at.current === id ? (fields.get(id)?.selectionEnd ?? null) : null),
  };
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  useEffect(() => {
    const field = place ? fields.get(place.id) : undefined;
    field?.focus();
    field?.setSelectionRange(place?.caret ?? 0, place?.caret ?? 0);
  }, [place, fields]);

  const keys = useMemo<TurnKeys>(() => {
    const read = () => latest.current;
    return { ...editKeys(read), ...pasteKeys(read), ...focusKeys(fields, at) };
  }, [fields]);
  /** The turn that is written in, or was last. */
  const current = () => script.turns.find((turn) => turn.id === at.current);
  return { keys, said: spoken.words + (spoken.n % 2 ? "" : "\u00a0"), say, goTo: setPlace, current };
}
