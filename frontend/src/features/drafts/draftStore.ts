import type { DraftApi, DraftContent } from "@/api/drafts";
import { toApiError } from "@/api/errors";
import type { Draft } from "@/api/types";
import { createStore, type Store } from "@/lib/store";
import type { DocumentFormat, DocumentView, DraftDocument, DraftState } from "./document";
import { saveDraft, type SavedDraft } from "./saveDraft";
import { createUndo } from "./undo";
import { newSlot, type UnsavedDraft, type UnsavedDrafts } from "./unsaved";

interface Options<D extends DraftDocument> {
  api: DraftApi;
  format: DocumentFormat<D>;
  unsaved: UnsavedDrafts;
  /** Called with the id of each draft that is opened or saved. */
  remember?(id: string): void;
}
interface Named<D> {
  name: string;
  document: D;
}

const saveDelay = 800; // milliseconds without a change
const retryDelay = 5_000;
const keepaliveLimit = 60_000; // bytes: browsers send no more than 64 KiB when a page closes

const keyOf = ({ id, slot }: UnsavedDraft): string => id ?? slot;
const sizeOf = (content: DraftContent): number => new TextEncoder().encode(JSON.stringify(content)).length;
const noView = { read: <D>(document: D): D => document, show: () => undefined };

/** Holds the open draft and saves it: after a pause, again after a failure, and locally when the window closes. */
export function createDraftStore<D extends DraftDocument>({ api, format, unsaved, remember }: Options<D>) {
  const initial: DraftState<D> = {
    id: undefined,
    name: "",
    document: format.empty,
    saving: "clean",
    error: null,
    savedAt: undefined,
    opened: 0,
    conflict: null,
  };
  const state: Store<DraftState<D>> = createStore(initial);
  const undoSteps = format.undo ? createUndo(format.undo) : null;
  let view: DocumentView<D> = noView;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: Promise<Draft | null> | null = null; // the save in progress
  let version = 0; // the number of the newest change to save
  let slot = newSlot(); // for a draft that the server does not have yet
  let known: D | null = null; // what this window read or sent last
  let released: { id: string; document: D } | null = null; // shown in another view, which may change it
  let isOnlyViewed = false; // the open draft is stored in another view, and nothing was changed in this one
  const retries = new Map<string, ReturnType<typeof setTimeout>>(); // for drafts that are no longer open

  const set = (part: Partial<DraftState<D>>) => state.set((s) => ({ ...s, ...part }));
  const toUnsaved = ({ name, document }: Named<D>): UnsavedDraft => {
    const { id, savedAt } = state.get();
    return { id, slot, since: savedAt, name, content: format.serialize(document) };
  };

  /** Reads the newest text into the state. */
  function readView(): Named<D> {
    const now = state.get();
    const document = view.read(now.document);
    const name = format.nameOf(document, now.name);
    set({ document, name });
    return { name, document };
  }

  function saveAfter(delay: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), delay);
  }

  /** Saves a draft. Where the server still has `before`, no other window has changed it. */
  async function put(draft: UnsavedDraft, before: D | null): Promise<SavedDraft> {
    const document = format.parse(draft.content);
    const saved = await saveDraft(api, draft, {
      isKnown: (stored) => {
        const theirs = format.parse(stored.content);
        return theirs !== null && [document, before].some((ours) => ours && format.isSame(ours, theirs));
      },
      copy: () => {
        const name = format.copyOf(draft.name);
        return { name, content: document ? format.serialize(format.rename(document, name)) : draft.content };
      },
    });
    if (saved.conflict) set({ conflict: saved.conflict });
    return saved;
  }

  async function save(): Promise<void> {
    clearTimeout(timer);
    if (request) return void saveAfter(saveDelay);
    if (state.get().saving === "clean") return;
    const { opened } = state.get();
    const body = readView();
    const draft = toUnsaved(body);
    const saved = version;
    const before = known;
    known = body.document;
    set({ saving: "saving" });
    request = put(draft, before)
      .then(
        (result) => {
          unsaved.drop(draft);
          if (state.get().opened === opened) onSaved(result, saved === version);
          return result.draft;
        },
        (error: unknown) => {
          if (state.get().opened === opened) onFailed(body, error);
          return null;
        },
      )
      .finally(() => {
        request = null;
      });
    await request;
  }

  function onSaved({ draft, conflict }: SavedDraft, isNewest: boolean): void {
    if (conflict) set({ name: draft.name, document: format.rename(state.get().document, draft.name) });
    set({ id: draft.id, savedAt: draft.updated_at, saving: isNewest ? "clean" : "waiting", error: null });
    remember?.(draft.id);
    if (!isNewest) saveAfter(saveDelay);
  }

  function onFailed(body: Named<D>, error: unknown): void {
    set({ saving: "failed", error: toApiError(error) });
    unsaved.keep(toUnsaved(body));
    saveAfter(retryDelay);
  }

  /** Saves a draft that is no longer open, after any save of it that is still in progress. */
  async function finish(draft: UnsavedDraft, before: D | null, last: Promise<Draft | null> | null): Promise<void> {
    const saved = await last;
    const now = saved ? { ...draft, id: saved.id, since: saved.updated_at } : draft;
    await put(now, before).then(
      () => unsaved.drop(draft),
      () => {
        unsaved.keep(now);
        const retry = setTimeout(() => void finish(now, before, null), retryDelay);
        retries.set(keyOf(now), retry);
      },
    );
  }

  function show(draft: Draft | null, document: D, given: { name?: string; slot?: string } = {}): void {
    clearTimeout(timer);
    if (state.get().saving !== "clean") void finish(toUnsaved(readView()), known, request);
    view = noView;
    slot = given.slot ?? newSlot();
    known = draft ? format.parse(draft.content) : null;
    if (released && released.id === draft?.id) undoSteps?.record(released.document, document, true);
    else undoSteps?.reset();
    released = null;
    isOnlyViewed = false;
    if (draft) remember?.(draft.id);
    state.set((s) => ({
      ...initial,
      id: draft?.id,
      name: given.name ?? draft?.name ?? "",
      document,
      savedAt: draft?.updated_at,
      opened: s.opened + 1,
      conflict: s.conflict,
    }));
  }

  /** Shows a draft that could not be saved, and saves it again. */
  function restore(lost: UnsavedDraft, draft: Draft | null): void {
    show(draft, format.parse(lost.content) ?? format.empty, lost);
    markChanged();
  }

  function markChanged(): void {
    isOnlyViewed = false;
    version += 1;
    if (state.get().saving !== "saving" && state.get().saving !== "waiting") set({ saving: "waiting" });
    saveAfter(saveDelay);
  }

  function goTo(step: "undo" | "redo"): { before: D; after: D } | null {
    const before = state.get().document;
    const after = undoSteps?.[step](before);
    if (!after) return null;
    set({ document: after });
    markChanged();
    return { before, after };
  }

  return {
    state,
    /** Returns the newest document, including recent typing. */
    newest: (): D => view.read(state.get().document),
    /** Attaches a view, from which the newest text is read. */
    attach(to: DocumentView<D>): void {
      view = to;
    },
    /** Detaches the view when the screen closes: its text is read and saved. */
    detach(): void {
      const { document } = readView();
      view = noView;
      set({ document });
      void save();
    },
    /** Marks the text of the view as changed; it is read at the next save. */
    markChanged,
    /** Changes the document; a change that `isStep` is a step of undo of its own, however small it is. */
    change(next: (before: D) => D, isStep = false): void {
      const before = state.get().document;
      const after = next(before);
      if (after === before) return;
      undoSteps?.record(before, after, isStep);
      set({ document: after });
      markChanged();
    },
    /** Changes the document without saving it: for what other windows also find out by themselves. */
    note: (next: (before: D) => D): void => set({ document: next(state.get().document) }),
    undo: () => goTo("undo"),
    redo: () => goTo("redo"),
    rename(name: string): void {
      set({ name, document: format.rename(state.get().document, name) });
      markChanged();
    },
    save,
    /** Saves a draft that another window could not save. */
    saveLost: (draft: UnsavedDraft): Promise<void> => finish(draft, null, null),
    restore,
    /** Opens a draft with the changes that could not be saved; the current draft is saved first. */
    open(draft: Draft | null, given?: D): void {
      const lost = draft && !given ? unsaved.all().find(({ id }) => id === draft.id) : undefined;
      if (lost) clearTimeout(retries.get(keyOf(lost)));
      if (draft && lost && lost.since === draft.updated_at) return restore(lost, draft);
      show(draft, given ?? (draft && format.parse(draft.content)) ?? format.empty);
      if (lost) void finish(lost, null, null); // if another window has saved since, this becomes a copy
    },
    /**
     * Opens a draft that is stored in another view. It is stored in this one once something is changed here; until then the
     * stored draft stays as it is. Undo returns to `earlier`.
     */
    view(draft: Draft, document: D, earlier?: D): void {
      show(draft, earlier ?? document);
      isOnlyViewed = true;
      if (!earlier) return;
      undoSteps?.record(earlier, document, true);
      set({ document });
    },
    /** Shows what another window saved, unless this window has unsaved changes. */
    async refresh(): Promise<void> {
      const { id, opened, saving } = state.get();
      const before = version;
      if (!id || saving !== "clean") return;
      const draft = await api.read(id).catch(() => null);
      const document = draft && format.parse(draft.content);
      const now = state.get();
      const isUnchanged = version === before && now.opened === opened && now.saving === "clean";
      if (!draft || !document || !isUnchanged || now.savedAt === draft.updated_at) return;
      known = document;
      undoSteps?.reset();
      set({ document, name: draft.name, savedAt: draft.updated_at });
      view.show(document);
    },
    /**
     * Saves and closes the draft, and goes to another screen with its id. Stays where it could not be saved. If it is
     * the next one to be opened, what the other screen changed is one step of undo.
     */
    async release(go: (id: string) => void): Promise<void> {
      if (!state.get().id) markChanged();
      while (request) await request;
      await save();
      const { id, saving, document } = state.get();
      if (!id || saving !== "clean") return;
      go(id);
      view = noView;
      released = isOnlyViewed ? null : { id, document };
      state.set(initial);
    },
    dismissConflict: (): void => set({ conflict: null }),
    /** Forgets unsaved changes, for a draft that is being deleted. */
    drop(): void {
      clearTimeout(timer);
      unsaved.drop({ id: state.get().id, slot });
      set({ saving: "clean" });
    },
    /** Sends unsaved changes when the window closes, and keeps them locally in case that fails. */
    leave(): void {
      clearTimeout(timer);
      const { saving, id, opened } = state.get();
      if (saving === "clean") return;
      const body = readView();
      const draft = toUnsaved(body);
      const saved = version;
      unsaved.keep(draft);
      if (!id || sizeOf(draft.content) >= keepaliveLimit) return void save();
      known = body.document;
      // Without `since` while another save is in progress, because that one changes it.
      const since = request ? undefined : draft.since;
      api.update({ id, name: draft.name, content: draft.content, since, keepalive: true }).then(
        (stored) => {
          unsaved.drop(draft);
          if (state.get().opened === opened) onSaved({ draft: stored, conflict: null }, saved === version);
        },
        () => saveAfter(retryDelay), // the page may be restored
      );
    },
  };
}

export type DraftStore<D extends DraftDocument> = ReturnType<typeof createDraftStore<D>>;
