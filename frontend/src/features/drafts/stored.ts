import type { QueryClient } from "@tanstack/react-query";
import { changeDraft, kindOf, readDraft, storeDraft, type DraftRow } from "@/api/drafts";
import { createStore, useStore } from "@/lib/store";

/** Renames a stored draft, which is not open. Its content records that a person gave the name. */
export async function renameStored(client: QueryClient, { id }: DraftRow, name: string): Promise<void> {
  const draft = await readDraft(id);
  const given = kindOf(draft) === "script" ? { title: name } : { named: true };
  const content = { ...draft.content, ...given };
  storeDraft(client, await changeDraft({ id, name, content, since: draft.updated_at }));
}

/** Drafts that are being deleted, on all screens. */
const hiddenDrafts = createStore<readonly string[]>([]);

export function useHiddenDrafts() {
  return {
    hidden: useStore(hiddenDrafts),
    hide: (ids: readonly string[]) => hiddenDrafts.set((all) => [...new Set([...all, ...ids])]),
    show: (id: string) => hiddenDrafts.set((all) => all.filter((other) => other !== id)),
  };
}
