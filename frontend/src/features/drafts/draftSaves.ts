import type { DraftApi, DraftContent } from "@/api/drafts";
import { toApiError } from "@/api/errors";
import type { Draft } from "@/api/types";
import { SaveTimer } from "@/lib/saveTimer";
import type { Store } from "@/lib/store";
import type { DocumentFormat, DocumentView, DraftDocument, DraftState } from "./document";
import { ClosedDrafts, saveDocument, type SaveOptions } from "./saveDocument";
import type { SavedDraft } from "./saveDraft";
import { newSlot, type UnsavedDraft, type UnsavedDrafts } from "./unsaved";

export interface Options<D extends DraftDocument> {
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

const keepaliveLimit = 60_000; // bytes: browsers send no more than 64 KiB when a page closes

const sizeOf = (content: DraftContent): number => new TextEncoder().encode(JSON.stringify(content)).length;
const noView = { read: <D>(document: D): D => document, show: () => undefined };

/** Saves the open draft: after a pause, again after a failure, and locally when the window closes. */
export class DraftSaves<D extends DraftDocument> {
  /** The editor that has the newest text. */
  view: DocumentView<D> = noView;
  /** The number of the newest change to save. */
  version = 0;
  /** What this window read or sent last. */
  known: D | null = null;
  readonly closed: ClosedDrafts<D>;
  private readonly saving: SaveOptions<D>;
  private readonly timer = new SaveTimer(() => this.save());
  private request: Promise<Draft | null> | null = null; // the save in progress
  private slot = newSlot(); // for a draft that the server does not have yet

  constructor(
    private readonly state: Store<DraftState<D>>,
    private readonly options: Options<D>,
  ) {
    const { api, format, unsaved } = options;
    this.saving = { api, format, unsaved, onConflict: (conflict) => this.set({ conflict }) };
    this.closed = new ClosedDrafts(this.saving);
  }

  set(part: Partial<DraftState<D>>): void {
    this.state.set((before) => ({ ...before, ...part }));
  }

  markChanged(): void {
    this.version += 1;
    const { saving } = this.state.get();
    if (saving !== "saving" && saving !== "waiting") this.set({ saving: "waiting" });
    this.timer.afterPause();
  }

  async save(): Promise<void> {
    this.timer.stop();
    if (this.request) return this.timer.afterPause();
    if (this.state.get().saving === "clean") return;
    const { opened } = this.state.get();
    const body = this.readView();
    const draft = this.toUnsaved(body);
    const saved = this.version;
    const before = this.known;
    this.known = body.document;
    this.set({ saving: "saving" });
    const isOpen = () => this.state.get().opened === opened;
    this.request = saveDocument(this.saving, draft, before)
      .then(
        (result) => {
          this.options.unsaved.drop(draft);
          if (isOpen()) this.onSaved(result, saved === this.version);
          return result.draft;
        },
        (error: unknown) => {
          if (isOpen()) this.onFailed(body, error);
          return null;
        },
      )
      .finally(() => {
        this.request = null;
      });
    await this.request;
  }

  /** Saves what there is, after any save that is still in progress. */
  async finish(): Promise<void> {
    while (this.request) await this.request;
    await this.save();
  }

  /** Reads the newest text into the state. */
  readView(): Named<D> {
    const now = this.state.get();
    const document = this.view.read(now.document);
    const name = this.options.format.nameOf(document, now.name);
    this.set({ document, name });
    return { name, document };
  }

  /** Reads the text of the view for the last time. */
  detach(): void {
    this.readView();
    this.close();
  }

  /** Reads nothing more of the view. */
  close(): void {
    this.view = noView;
  }

  /** Another draft is opened: changes of the one before are saved. */
  open(draft: Draft | null, slot = newSlot()): void {
    this.timer.stop();
    if (this.state.get().saving !== "clean")
      void this.closed.save(this.toUnsaved(this.readView()), this.known, this.request);
    this.view = noView;
    this.slot = slot;
    this.known = draft ? this.options.format.parse(draft.content) : null;
    if (draft) this.options.remember?.(draft.id);
  }

  /** Forgets unsaved changes, for a draft that is being deleted. */
  drop(): void {
    this.timer.stop();
    this.options.unsaved.drop({ id: this.state.get().id, slot: this.slot });
    this.set({ saving: "clean" });
  }

  /** Sends unsaved changes when the window closes, and keeps them locally in case that fails. */
  leave(): void {
    const { api, unsaved } = this.options;
    this.timer.stop();
    const { saving, id, opened } = this.state.get();
    if (saving === "clean") return;
    const body = this.readView();
    const draft = this.toUnsaved(body);
    const saved = this.version;
    unsaved.keep(draft);
    if (!id || sizeOf(draft.content) >= keepaliveLimit) return void this.save();
    this.known = body.document;
    // Without `since` while another save is in progress, because that one changes it.
    const since = this.request ? undefined : draft.since;
    api.update({ id, name: draft.name, content: draft.content, since, keepalive: true }).then(
      (stored) => {
        unsaved.drop(draft);
        if (this.state.get().opened === opened) this.onSaved({ draft: stored, conflict: null }, saved === this.version);
      },
      () => this.timer.afterFailure(), // the page may be restored
    );
  }

  private toUnsaved({ name, document }: Named<D>): UnsavedDraft {
    const { id, savedAt } = this.state.get();
    return { id, slot: this.slot, since: savedAt, name, content: this.options.format.serialize(document) };
  }

  private onSaved({ draft, conflict }: SavedDraft, isNewest: boolean): void {
    const { format, remember } = this.options;
    if (conflict) this.set({ name: draft.name, document: format.rename(this.state.get().document, draft.name) });
    this.set({ id: draft.id, savedAt: draft.updated_at, saving: isNewest ? "clean" : "waiting", error: null });
    remember?.(draft.id);
    if (!isNewest) this.timer.afterPause();
  }

  private onFailed(body: Named<D>, error: unknown): void {
    this.set({ saving: "failed", error: toApiError(error) });
    this.options.unsaved.keep(this.toUnsaved(body));
    this.timer.afterFailure();
  }
}
