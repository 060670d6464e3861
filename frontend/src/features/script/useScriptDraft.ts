import { useCallback, useEffect, useRef, useState } from "react";
import { useCreateDraft, useUpdateDraft } from "@/api/drafts";
import { href, navigate } from "@/app/router";
import type { Draft } from "@/api/types";
import type { ScriptContent } from "./model";

const pause = 700; // milliseconds without typing

/** What no draft holds yet, by its id: a screen that comes back before the answer of the server goes on with it. */
export const unsaved = new Map<string, ScriptContent>();

interface Saving { id: string | undefined; dirty: ScriptContent | null; busy: boolean }

/** The script on the page, kept as a draft: saved at each pause and when the window closes, one request at a time. */
export function useScriptDraft(draft: Draft | undefined, first: ScriptContent, nameOf: (script: ScriptContent) => string, onCreated: (id: string) => void) {
  const [script, setScript] = useState(first);
  const create = useCreateDraft();
  const update = useUpdateDraft();
  const saving = useRef<Saving>({ id: draft?.id, dirty: null, busy: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { mutateAsync: createDraft } = create;
  const { mutateAsync: updateDraft } = update;
  const latest = useRef({ nameOf, onCreated });
  useEffect(() => { latest.current = { nameOf, onCreated }; });
  const gone = useRef(false);

  const flush = useCallback(async (leaving = false) => {
    const state = saving.current;
    const content = state.dirty;
    if (!content || (state.busy && !leaving)) return;
    state.dirty = null;
    state.busy = true;
    try {
      const body = { name: latest.current.nameOf(content), content: { ...content } };
      if (state.id) await updateDraft({ id: state.id, keepalive: leaving, ...body });
      else {
        state.id = (await createDraft(body)).id;
        if (!leaving && !gone.current) {
          latest.current.onCreated(state.id);
          navigate(href("script", [state.id]), { replace: true }); // a reload finds it again
        }
      }
      if (state.id && !state.dirty) unsaved.delete(state.id);
    } catch {
      state.dirty ??= content; // said on the page by `error`; the next change tries again
      return;
    } finally {
      state.busy = false;
    }
    if (state.dirty) void flush();
  }, [createDraft, updateDraft]);

  const change = useCallback((next: ScriptContent | ((before: ScriptContent) => ScriptContent)) => {
    setScript((before) => {
      const after = typeof next === "function" ? next(before) : next;
      if (after !== before) {
        saving.current.dirty = after;
        if (saving.current.id) unsaved.set(saving.current.id, after);
      }
      return after;
    });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush(), pause);
  }, [flush]);

  useEffect(() => {
    const leave = () => void flush(true);
    gone.current = false;
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      clearTimeout(timer.current);
      gone.current = true;
      leave();
    };
  }, [flush]);

  return { script, change, error: create.error ?? update.error };
}
