import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  draftDoor,
  newSlot,
  readDraft,
  rescues,
  sameContent,
  saveDraft,
  type DraftContent,
  type Parted,
  type Rescue,
} from "@/api/drafts";
import { toApiError, type ApiError } from "@/api/errors";
import { href, navigate } from "@/lib/router";
import type { Draft } from "@/api/types";
import { createStore, useStore } from "@/lib/store";
import { readScript, type ScriptContent } from "./model";

const pause = 700; // milliseconds without typing
const againAfter = 5_000;

/** What the server has not got yet: a window that ended before the answer, or one that could not save, goes on with it. */
export const unsaved = rescues("voicewright.script.unsaved");
const parted = createStore<Parted | null>(null);

/** `known` is what this window read or sent last: where the server still has it, nobody else wrote. */
interface Saving {
  id: string | undefined;
  slot: string;
  since: string | undefined;
  known: DraftContent | undefined;
  dirty: ScriptContent | null;
  busy: boolean;
}
export interface ScriptWords {
  nameOf(script: ScriptContent): string;
  copyOf(name: string): string;
}
/** What the page begins with; `isUnsaved` when the server has not got it yet. */
export interface Start {
  draft: Draft | undefined;
  first: ScriptContent;
  isUnsaved: boolean;
}
interface Options extends Start {
  words: ScriptWords;
  onCreated(id: string): void;
}

function save(
  door: ReturnType<typeof draftDoor>,
  { id, since, name, content }: Rescue,
  known: DraftContent | undefined,
  copyOf: ScriptWords["copyOf"],
  keepalive = false,
) {
  return saveDraft(
    door,
    { ...(id ? { id, since } : {}), name, content, keepalive },
    {
      isKnown: (stored) => [content, known].some((one) => one && sameContent(one, stored.content)),
      copy: () => ({ name: copyOf(name), content: { ...content, title: copyOf(name) } }),
    },
  );
}

/** Saves what windows that ended could not, but for the script that is on the page. */
export function useBringBack(without: string | undefined, copyOf: ScriptWords["copyOf"]): void {
  const client = useQueryClient();
  const first = useRef({ without, copyOf });
  useEffect(() => {
    for (const rescue of once(unsaved.all)) {
      if (rescue.id !== undefined && rescue.id === first.current.without) continue;
      save(draftDoor(client), rescue, undefined, first.current.copyOf).then(
        (saved) => {
          unsaved.drop(rescue);
          if (saved.parted) parted.set(saved.parted);
        },
        () => undefined,
      ); // it stays for the next start
    }
  }, [client]);
}

let isDone = false;
/** Later in the life of a window what is unsaved is on its way already. */
function once(all: () => Rescue[]): Rescue[] {
  const found = isDone ? [] : all();
  isDone = true;
  return found;
}

/** The script on the page, kept as a draft: saved at each pause and when the window closes, one request at a time. */
export function useScriptDraft({ draft, first, isUnsaved, words, onCreated }: Options) {
  const client = useQueryClient();
  const [script, setScript] = useState(first);
  const [version, setVersion] = useState(0); // grows with what another window wrote
  const [error, setError] = useState<ApiError | null>(null);
  const saving = useRef<Saving>({
    id: draft?.id,
    slot: newSlot(),
    since: draft?.updated_at,
    known: draft?.content,
    dirty: null,
    busy: false,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ words, onCreated });
  useEffect(() => {
    latest.current = { words, onCreated };
  });
  const gone = useRef(false);

  const flush = useCallback(
    async (leaving = false) => {
      const state = saving.current;
      const script = state.dirty;
      if (!script || (state.busy && !leaving)) return;
      const { nameOf, copyOf } = latest.current.words;
      const rescue: Rescue = {
        id: state.id,
        slot: state.slot,
        since: state.since,
        name: nameOf(script),
        content: { ...script },
      };
      if (state.busy && !state.id) return unsaved.keep(rescue); // it is being made, and saved again right after
      // While another save is on its way a last one comes after it, so that it may change what that one leaves.
      const sent = state.busy ? { ...rescue, since: undefined } : rescue;
      const { known } = state;
      Object.assign(state, { dirty: null, busy: true, known: rescue.content });
      if (leaving) unsaved.keep(rescue);
      try {
        const saved = await save(draftDoor(client), sent, known, copyOf, leaving);
        unsaved.drop(rescue);
        setError(null);
        adopt(saved);
      } catch (failure) {
        state.dirty ??= script;
        unsaved.keep(rescue);
        setError(toApiError(failure));
        if (!gone.current) timer.current = setTimeout(() => void flush(), againAfter);
        return;
      } finally {
        state.busy = false;
      }
      if (state.dirty) void flush();

      function adopt(saved: Awaited<ReturnType<typeof save>>): void {
        const isNew = saved.draft.id !== state.id;
        Object.assign(state, { id: saved.draft.id, since: saved.draft.updated_at });
        if (saved.parted) {
          parted.set(saved.parted);
          setScript((before) => ({ ...before, title: String(saved.draft.content.title ?? "") }));
          if (state.dirty) state.dirty = { ...state.dirty, title: String(saved.draft.content.title ?? "") };
        }
        if (!isNew || leaving || gone.current) return;
        latest.current.onCreated(saved.draft.id);
        navigate(href("script", [saved.draft.id]), { replace: true }); // a reload finds it again
      }
    },
    [client],
  );

  const change = useCallback(
    (next: ScriptContent | ((before: ScriptContent) => ScriptContent)) => {
      setScript((before) => {
        const after = typeof next === "function" ? next(before) : next;
        if (after !== before) saving.current.dirty = after;
        return after;
      });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), pause);
    },
    [flush],
  );

  /** Takes what another window saved, as long as nothing waits to be saved here. */
  const refresh = useCallback(async () => {
    const { id, since } = saving.current;
    const isClean = () =>
      !saving.current.dirty && !saving.current.busy && saving.current.id === id && saving.current.since === since;
    if (!id || !isClean()) return;
    const stored = await readDraft(id).catch(() => null);
    const content = stored ? readScript(stored.content) : null;
    if (!stored || !content || !isClean() || stored.updated_at === since) return;
    Object.assign(saving.current, { since: stored.updated_at, known: stored.content });
    setScript(content);
    setVersion((v) => v + 1);
  }, []);

  useEffect(() => {
    const leave = () => void flush(true);
    const back = () => void refresh();
    gone.current = false;
    if (isUnsaved) change((before) => ({ ...before }));
    window.addEventListener("pagehide", leave);
    window.addEventListener("focus", back);
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("focus", back);
      clearTimeout(timer.current);
      gone.current = true;
      leave();
    };
    // What the page began with is looked at once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [flush, refresh, change]);

  return {
    script,
    version,
    change,
    note: setScript,
    error,
    parted: useStore(parted),
    dismissParted: () => parted.set(null),
  };
}
