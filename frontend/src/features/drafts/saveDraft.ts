import { isChangedElsewhere, isMissing, type DraftApi, type NewDraft } from "@/api/drafts";
import type { Draft } from "@/api/types";

/** Two windows changed one draft: `id` holds the text of the other window, `copyId` the text of this one. */
export interface DraftConflict {
  id: string;
  name: string;
  copyId: string;
  copyName: string;
}
export interface SavedDraft {
  draft: Draft;
  conflict: DraftConflict | null;
}
interface Change extends NewDraft {
  id: string | undefined;
  /** The `updated_at` of the draft that was edited. */
  since: string | undefined;
}
interface Options {
  /** Reports whether the stored draft contains nothing that this window does not have. */
  isKnown(stored: Draft): boolean;
  /** Returns the copy to create after a conflict. */
  copy(): NewDraft;
}

/** Saves over the draft that was read. After a conflict the text of this window becomes a separate draft. */
export async function saveDraft(api: DraftApi, change: Change, options: Options): Promise<SavedDraft> {
  const { id, since, name, content } = change;
  const saved = (draft: Draft): SavedDraft => ({ draft, conflict: null });
  if (!id) return saved(await api.create({ name, content }));
  try {
    return saved(await api.update({ id, name, content, since }));
  } catch (error) {
    if (isMissing(error)) return saved(await api.create({ name, content })); // deleted elsewhere, still edited here
    if (!isChangedElsewhere(error)) throw error;
  }
  const stored = await api.read(id);
  if (options.isKnown(stored)) return saved(await api.update({ id, name, content, since: stored.updated_at }));
  const draft = await api.create(options.copy());
  return { draft, conflict: { id, name: stored.name, copyId: draft.id, copyName: draft.name } };
}
