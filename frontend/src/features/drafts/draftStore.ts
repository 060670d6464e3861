import type { Draft } from "@/api/types";
import { createStore, type Store } from "@/lib/store";
import type { DocumentFormat, DocumentView, DraftDocument, DraftState } from "./document";
import { DraftSaves, type Options } from "./draftSaves";
import { createUndo } from "./undo";
import type { UnsavedDraft } from "./unsaved";

const initialOf = <D extends DraftDocument>({ empty }: DocumentFormat<D>): DraftState<D> => ({
  id: undefined,
  name: "",
  document: empty,
  saving: "clean",
  error: null,
  savedAt: undefined,
  opened: 0,
  conflict: null,
});

/** Holds the open draft, which is saved by itself. What is a property can be passed without its store. */
export class DraftStore<D extends DraftDocument> {
  readonly state: Store<DraftState<D>>;
  private readonly saves: DraftSaves<D>;
  private readonly undoSteps;
  private released: { id: string; document: D } | null = null; // shown in another view, which may change it
  private isOnlyViewed = false; // the open draft is stored in another view, and nothing was changed in this one

  constructor(private readonly options: Options<D>) {
    const { format } = options;
    this.state = createStore(initialOf(format));
    this.saves = new DraftSaves(this.state, options);
    this.undoSteps = format.undo ? createUndo(format.undo) : null;
  }

  /** Returns the newest document, including recent typing. */
  newest(): D {
    return this.saves.view.read(this.state.get().document);
  }

  /** Attaches a view, from which the newest text is read. */
  attach(view: DocumentView<D>): void {
    this.saves.view = view;
  }

  /** Detaches the view when the screen closes: its text is read and saved. */
  detach(): void {
    this.saves.detach();
    void this.save();
  }

  /** Marks the text of the view as changed; it is read at the next save. */
  markChanged(): void {
    this.isOnlyViewed = false;
    this.saves.markChanged();
  }

  /** Changes the document; a change that `isStep` is a step of undo of its own, however small it is. */
  readonly change = (next: (before: D) => D, isStep = false): void => {
    const before = this.state.get().document;
    const after = next(before);
    if (after === before) return;
    this.undoSteps?.record(before, after, isStep);
    this.saves.set({ document: after });
    this.markChanged();
  };

  /** Changes the document without saving it: for what other windows also find out by themselves. */
  readonly note = (next: (before: D) => D): void => {
    this.saves.set({ document: next(this.state.get().document) });
  };

  undo(): { before: D; after: D } | null {
    return this.goTo("undo");
  }

  redo(): { before: D; after: D } | null {
    return this.goTo("redo");
  }

  readonly rename = (name: string): void => {
    this.saves.set({ name, document: this.options.format.rename(this.state.get().document, name) });
    this.markChanged();
  };

  save(): Promise<void> {
    return this.saves.save();
  }

  /** Saves a draft that another window could not save. */
  saveLost(draft: UnsavedDraft): Promise<void> {
    return this.saves.closed.save(draft, null, null);
  }

  /** Shows a draft that could not be saved, and saves it again. */
  restore(lost: UnsavedDraft, draft: Draft | null): void {
    const { format } = this.options;
    this.show(draft, format.parse(lost.content) ?? format.empty, lost);
    this.markChanged();
  }

  /** Opens a draft with the changes that could not be saved; the current draft is saved first. */
  open(draft: Draft | null, given?: D): void {
    const { format, unsaved } = this.options;
    const lost = draft && !given ? unsaved.all().find(({ id }) => id === draft.id) : undefined;
    if (lost) this.saves.closed.leave(lost);
    if (draft && lost && lost.since === draft.updated_at) return this.restore(lost, draft);
    this.show(draft, given ?? (draft && format.parse(draft.content)) ?? format.empty);
    if (lost) void this.saveLost(lost); // if another window has saved since, this becomes a copy
  }

  /**
   * Opens a draft that is stored in another view. It is stored in this one once something is changed here; until then the
   * stored draft stays as it is. Undo returns to `earlier`.
   */
  view(draft: Draft, document: D, earlier?: D): void {
    this.show(draft, earlier ?? document);
    this.isOnlyViewed = true;
    if (!earlier) return;
    this.undoSteps?.record(earlier, document, true);
    this.saves.set({ document });
  }

  /** Shows what another window saved, unless this window has unsaved changes. */
  async refresh(): Promise<void> {
    const { api, format } = this.options;
    const { id, opened, saving } = this.state.get();
    const { version } = this.saves;
    if (!id || saving !== "clean") return;
    const draft = await api.read(id).catch(() => null);
    const document = draft && format.parse(draft.content);
    const now = this.state.get();
    const isUnchanged = this.saves.version === version && now.opened === opened && now.saving === "clean";
    if (!draft || !document || !isUnchanged || now.savedAt === draft.updated_at) return;
    this.saves.known = document;
    this.undoSteps?.reset();
    this.saves.set({ document, name: draft.name, savedAt: draft.updated_at });
    this.saves.view.show(document);
  }

  /**
   * Saves and closes the draft, and goes to another screen with its id. Stays where it could not be saved. If it is
   * the next one to be opened, what the other screen changed is one step of undo.
   */
  async release(go: (id: string) => void): Promise<void> {
    if (!this.state.get().id) this.markChanged();
    await this.saves.finish();
    const { id, saving, document } = this.state.get();
    if (!id || saving !== "clean") return;
    go(id);
    this.saves.close();
    this.released = this.isOnlyViewed ? null : { id, document };
    this.state.set(initialOf(this.options.format));
  }

  readonly dismissConflict = (): void => {
    this.saves.set({ conflict: null });
  };

  /** Forgets unsaved changes, for a draft that is being deleted. */
  drop(): void {
    this.saves.drop();
  }

  /** Sends unsaved changes when the window closes, and keeps them locally in case that fails. */
  leave(): void {
    this.saves.leave();
  }

  private show(draft: Draft | null, document: D, given: { name?: string; slot?: string } = {}): void {
    this.saves.open(draft, given.slot);
    const { released } = this;
    if (released && released.id === draft?.id) this.undoSteps?.record(released.document, document, true);
    else this.undoSteps?.reset();
    this.released = null;
    this.isOnlyViewed = false;
    this.state.set(({ opened, conflict }) => ({
      ...initialOf(this.options.format),
      id: draft?.id,
      name: given.name ?? draft?.name ?? "",
      document,
      savedAt: draft?.updated_at,
      opened: opened + 1,
      conflict,
    }));
  }

  private goTo(step: "undo" | "redo"): { before: D; after: D } | null {
    const before = this.state.get().document;
    const after = this.undoSteps?.[step](before);
    if (!after) return null;
    this.saves.set({ document: after });
    this.markChanged();
    return { before, after };
  }
}

export const createDraftStore = <D extends DraftDocument>(options: Options<D>): DraftStore<D> =>
  new DraftStore(options);
