import { toApiError, type ApiError } from "@/api/errors";
import type { Segment, Transcript, TranscriptChanges } from "@/api/types";
import { createStore } from "@/lib/store";
import { changesBetween, mergeChanges, withoutSaved, type SegmentChange } from "../text/changes";

const saveDelay = 800; // milliseconds without a change
const retryDelay = 5_000;

/** Reports whether a save that failed would always fail, as when the transcript or its segment no longer exists. */
const isFinal = ({ status }: ApiError): boolean => [400, 404, 410, 413, 422].includes(status);

/** The requests that the editor sends. */
export interface EditorApi {
  /** The newest state of the transcript. */
  stored(): Transcript | undefined;
  patch(changes: TranscriptChanges, keepalive: boolean): Promise<Transcript>;
  undo(): Promise<Transcript>;
}

/** Another window changed a segment that this one was changing too. */
export interface EditConflict {
  id: number;
  mine: string;
  theirs: string;
}

export interface EditorState {
  /** Changes that the server does not have yet. */
  pending: readonly SegmentChange[];
  /** It is "refused" if trying again cannot help. */
  saving: "clean" | "waiting" | "saving" | "failed" | "refused";
  error: ApiError | null;
  /** Undone changes that can be made again, newest last. */
  undone: readonly (readonly SegmentChange[])[];
  conflict: EditConflict | null;
}

const isStored = (segments: readonly Segment[] | undefined, { id, text, speaker }: SegmentChange): boolean => {
  const segment = segments?.find((one) => one.id === id);
  return (
    segment !== undefined &&
    (text === undefined || text === segment.text) &&
    (speaker === undefined || speaker === segment.speaker)
  );
};

const initial: EditorState = { pending: [], saving: "clean", error: null, undone: [], conflict: null };

/** Holds the changes of a transcript and saves them: after a pause, again after a failure that may pass, and when the page closes. */
export function createEditor(api: EditorApi) {
  const state = createStore(initial);
  /** The texts that the changes are based on, by segment. */
  const base = new Map<number, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: Promise<unknown> = Promise.resolve();

  const set = (part: Partial<EditorState>) => state.set((before) => ({ ...before, ...part }));
  const textOf = (segments: readonly Segment[] | undefined, id: number) =>
    segments?.find((segment) => segment.id === id)?.text;

  function saveAfter(delay: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), delay);
  }

  /** Returns the first change whose segment another window has changed since. */
  function findConflict(): EditConflict | null {
    const segments = api.stored()?.segments;
    for (const { id, text } of state.get().pending) {
      const [before, theirs] = [base.get(id), textOf(segments, id)];
      if (text !== undefined && before !== undefined && theirs !== undefined && theirs !== before && theirs !== text)
        return { id, mine: text, theirs };
    }
    return null;
  }

  async function send(changes: readonly SegmentChange[], keepalive: boolean): Promise<void> {
    set({ saving: "saving" });
    try {
      const { segments } = await api.patch({ segments: [...changes] }, keepalive);
      const pending = withoutSaved(state.get().pending, changes);
      for (const { id } of changes) {
        const text = pending.some((change) => change.id === id) ? textOf(segments, id) : undefined;
        if (text === undefined) base.delete(id);
        else base.set(id, text);
      }
      set({ pending, saving: pending.length > 0 ? "waiting" : "clean", error: null });
      if (pending.length > 0) saveAfter(saveDelay);
    } catch (thrown) {
      const error = toApiError(thrown);
      set({ saving: isFinal(error) ? "refused" : "failed", error });
      if (!isFinal(error)) saveAfter(retryDelay);
    }
  }

  /** Returns the changes to send now: those of segments that the server no longer has would refuse the others too. */
  function toSend(): readonly SegmentChange[] {
    const { pending } = state.get();
    const segments = api.stored()?.segments;
    const known = pending.filter(({ id }) => segments?.some((segment) => segment.id === id));
    return known.length > 0 ? known : pending;
  }

  /** Saves all changes, after any save that is still in progress. */
  function save(keepalive = false): Promise<unknown> {
    clearTimeout(timer);
    request = request.then(() => {
      const { pending } = state.get();
      if (pending.length === 0) return undefined;
      const conflict = findConflict();
      if (!conflict) return send(toSend(), keepalive);
      set({ conflict });
      return undefined;
    });
    return request;
  }

  function add(changes: readonly SegmentChange[]): void {
    if (changes.length === 0) return;
    const segments = api.stored()?.segments;
    for (const { id } of changes) if (!base.has(id)) base.set(id, textOf(segments, id) ?? "");
    const { pending, saving } = state.get();
    const merged = mergeChanges(pending, changes);
    // What the server has already need not be saved, unless a save in progress is about to change it there.
    const left = saving === "saving" ? merged : merged.filter((change) => !isStored(segments, change));
    if (saving === "saving") set({ pending: left });
    else set(left.length > 0 ? { pending: left, saving: "waiting" } : { pending: left, saving: "clean", error: null });
  }

  /** Undoes the newest saved change. */
  async function undo(): Promise<void> {
    await save();
    const before = api.stored();
    if (!before?.can_undo || state.get().pending.length > 0) return;
    try {
      const after = await api.undo();
      const changes = changesBetween(after.segments, before.segments);
      set({ undone: changes ? [...state.get().undone, changes] : [], error: null });
    } catch (error) {
      set({ error: toApiError(error) });
    }
  }

  /** Forgets the changes that are not saved. */
  function discard(): void {
    base.clear();
    set({ pending: [], saving: "clean", error: null, conflict: null });
  }

  return {
    state,
    save,
    /** Changes segments; the change is saved after a pause. */
    change(changes: readonly SegmentChange[]): void {
      if (changes.length === 0) return;
      add(changes);
      set({ undone: [] });
      saveAfter(saveDelay);
    },
    undo,
    /** Makes the change again that was undone last. */
    async redo(): Promise<void> {
      const { undone } = state.get();
      const changes = undone.at(-1);
      if (!changes) return;
      add(changes);
      set({ undone: undone.slice(0, -1) });
      await save();
    },
    /** Ends a conflict with the text of this window, or with that of the other one. */
    resolve(keep: "mine" | "theirs"): void {
      const { conflict, pending } = state.get();
      if (!conflict) return;
      base.set(conflict.id, conflict.theirs);
      set({
        conflict: null,
        ...(keep === "theirs" ? { pending: pending.filter(({ id }) => id !== conflict.id), saving: "clean" } : {}),
      });
      void save();
    },
    /** Sends unsaved changes when the page closes. */
    leave(): void {
      if (state.get().saving === "waiting" || state.get().saving === "failed") void save(true);
    },
    /** Tries again what failed: the save, else the undo. */
    retry: (): Promise<unknown> => (state.get().pending.length > 0 ? save() : undo()),
    discard,
    /** Saves the changes when the page is left, and reports whether none is left to save; the others are tried again. */
    async close(): Promise<boolean> {
      await save(true);
      if (state.get().saving === "waiting") await save(true); // what could not be sent with the others
      if (state.get().saving === "refused") discard();
      return state.get().pending.length === 0;
    },
  };
}

export type Editor = ReturnType<typeof createEditor>;
