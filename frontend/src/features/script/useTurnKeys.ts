import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import type { Profile } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLatest } from "@/lib/latest";
import { createStore, type Store } from "@/lib/store";
import { useToast } from "@/ui";
import { playsTag } from "./hosted";
import type { Place } from "./undo";
import type { ScriptStore } from "./scriptStore";
import {
  editKeys,
  insertAsText,
  insertPasted,
  outcomeOf,
  pasteKeys,
  type KeyContext,
  type PastedScript,
} from "./turnKeys";
import type { AsText } from "./pasted/speakers";
import type { TurnKeys } from "./TurnText";

type Fields = ReadonlyMap<string, HTMLTextAreaElement>;

/** Makes the fields of all turns reachable by Tab again. */
function stops(fields: Fields): void {
  for (const field of fields.values()) field.tabIndex = 0;
}

/** Keys that only move the focus; `lastId` is the turn that has, or last had, the focus. */
function focusKeys(
  fields: Fields,
  lastId: Store<string>,
): Pick<TurnKeys, "leaveText" | "onTextFocus" | "focusText" | "restoreTabOrder"> {
  return {
    leaveText(id) {
      lastId.set(id);
      for (const field of fields.values()) field.tabIndex = -1; // otherwise the next one would handle Tab
    },
    onTextFocus(id) {
      lastId.set(id);
      stops(fields);
    },
    focusText: (id) => fields.get(id)?.focus(),
    restoreTabOrder: () => stops(fields),
  };
}

/** Returns the keys of a turn's text. They keep their identity, so that typing in one turn renders no other. */
export function useTurnKeys(store: ScriptStore, voices: readonly Profile[], fields: Fields) {
  const { t } = useTranslation("script");
  const [spoken, setSpoken] = useState({ words: "", n: 0 });
  const [lastId] = useState(() => createStore(""));
  const [place, setPlace] = useState<Place | null>(null);
  const [checked, setChecked] = useState<PastedScript | null>(null);
  const models = useModels().data ?? [];
  const toast = useToast();
  const format = useFormat();
  // A space makes a repeated message different, so that screen readers read it again.
  const say = useCallback((words: string) => setSpoken(({ n }) => ({ words, n: n + 1 })), []);
  const context = useLatest<Omit<KeyContext, "script">>({
    voices,
    playsTag: (voice, direction) => playsTag(models, voice, direction),
    change: (next) => store.change(() => next),
    t,
    format,
    toast,
    say,
    goTo: setPlace,
    check: setChecked,
    caret: (id) => (lastId.get() === id ? (fields.get(id)?.selectionEnd ?? null) : null),
  });
  useEffect(() => {
    const field = place ? fields.get(place.id) : undefined;
    field?.focus();
    field?.setSelectionRange(place?.caret ?? 0, place?.caret ?? 0);
  }, [place, fields]);

  const keys = useMemo<TurnKeys>(() => {
    const read = () => ({ ...context(), script: store.state.get().document });
    return { ...editKeys(read), ...pasteKeys(read), ...focusKeys(fields, lastId) };
  }, [fields, context, store, lastId]);
  /** The turn that has, or last had, the focus. */
  const current = () => store.state.get().document.turns.find((turn) => turn.id === lastId.get());
  const read = () => ({ ...context(), script: store.state.get().document });
  function answer(insert?: (now: KeyContext, pasted: PastedScript) => void): void {
    if (insert && checked) insert(read(), checked);
    setChecked(null);
  }
  const pasted = checked && {
    names: checked.names,
    outcome: (asText: AsText) => outcomeOf(read(), checked, asText),
    takeTurns: (asText: AsText) => answer((now, pasted) => insertPasted(now, pasted, asText)),
    takeText: () => answer(insertAsText),
    cancel: () => answer(),
  };
  return { keys, said: spoken.words + (spoken.n % 2 ? "" : "\u00a0"), say, goTo: setPlace, current, pasted };
}
