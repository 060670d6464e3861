import type { DraftApi } from "@/api/drafts";
import { SaveTimer } from "@/lib/saveTimer";
import type { Draft } from "@/api/types";
import type { DocumentFormat, DraftDocument } from "./document";
import { saveDraft, type DraftConflict, type SavedDraft } from "./saveDraft";
import type { UnsavedDraft, UnsavedDrafts } from "./unsaved";

export interface SaveOptions<D extends DraftDocument> {
  api: DraftApi;
  format: DocumentFormat<D>;
  unsaved: UnsavedDrafts;
  onConflict(conflict: DraftConflict): void;
}

/** Saves a draft. Where the server still has `before`, no other window has changed it. */
export async function saveDocument<D extends DraftDocument>(
  { api, format, onConflict }: SaveOptions<D>,
  draft: UnsavedDraft,
  before: D | null,
): Promise<SavedDraft> {
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
  if (saved.conflict) onConflict(saved.conflict);
  return saved;
}

const keyOf = ({ id, slot }: UnsavedDraft): string => id ?? slot;

/** Saves drafts that are no longer open, each until it is saved. */
export class ClosedDrafts<D extends DraftDocument> {
  private readonly retries = new Map<string, SaveTimer>();

  constructor(private readonly options: SaveOptions<D>) {}

  /** Saves a draft after the `last` save of it, which may still be in progress. */
  async save(draft: UnsavedDraft, before: D | null, last: Promise<Draft | null> | null): Promise<void> {
    const { unsaved } = this.options;
    const saved = await last;
    const now = saved ? { ...draft, id: saved.id, since: saved.updated_at } : draft;
    await saveDocument(this.options, now, before).then(
      () => unsaved.drop(draft),
      () => {
        unsaved.keep(now);
        const retry = new SaveTimer(() => this.save(now, before, null));
        retry.afterFailure();
        this.retries.set(keyOf(now), retry);
      },
    );
  }

  /** Saves a draft no more: it is open again. */
  leave(draft: UnsavedDraft): void {
    this.retries.get(keyOf(draft))?.stop();
  }
}
