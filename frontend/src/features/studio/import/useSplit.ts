import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { draftApi, type NewDraft } from "@/api/drafts";
import type { Draft } from "@/api/types";
import { createStore, useStore, type Store } from "@/lib/store";
import { useUndo } from "@/ui";
import type { TextStore } from "../drafts/textStore";
import { perKey } from "@/features/drafts/perKey";
import type { DraftState } from "@/features/drafts/document";
import { serializeText, type TextDocument } from "../drafts/textDocument";
import type { DraftActions } from "../drafts/useDraftActions";

/** A text that is too long for a draft or for the remaining space on the page. */
export interface LongText {
  title: string;
  text: string;
}

interface SplitState {
  requested: readonly LongText[];
  /** A different number for each text. */
  number: number;
  isCreating: boolean;
  /** The drafts created so far of the first text; after a failure the next try continues from them. */
  created: readonly Draft[];
  /** The name of these drafts. */
  title: string;
  error: unknown;
}

const none = { isCreating: false, created: [], title: "", error: null };
const stateOf = perKey<TextStore, Store<SplitState>>(() =>
  createStore<SplitState>({ requested: [], number: 0, ...none }),
);

interface Storing {
  create(body: NewDraft): Promise<Draft>;
  created(drafts: readonly Draft[]): void;
  isCurrent(): boolean;
}

/** Creates the last draft first, so that the list begins with the first one. Continues from those that exist. */
async function storeRest(bodies: readonly NewDraft[], existing: readonly Draft[], storing: Storing): Promise<void> {
  let drafts = existing;
  for (const body of bodies.slice(0, bodies.length - existing.length).reverse()) {
    drafts = [await storing.create(body), ...drafts];
    storing.created(drafts);
    if (!storing.isCurrent()) return;
  }
}

const idsOf = (drafts: readonly Draft[]): string[] => drafts.map(({ id }) => id);

/** Deletes the drafts of a split, and opens the previous draft if one of them is open. */
function undoSplit(
  { draftStore, discard, open }: DraftActions,
  ids: readonly string[],
  before: DraftState<TextDocument>,
): void {
  const isShown = ids.includes(draftStore.state.get().id ?? "");
  if (isShown) draftStore.drop();
  discard(ids);
  if (isShown && before.id) open({ id: before.id });
  else if (isShown) draftStore.open(null, before.document);
}

/** Splits texts that are too long into drafts, after a dialog, with undo. */
export function useSplit(draftActions: DraftActions, voiceId: string | undefined) {
  const { t } = useTranslation("studio");
  const api = draftApi(useQueryClient());
  const undo = useUndo();
  const { draftStore } = draftActions;
  const store = stateOf(draftStore);
  const current = useStore(store);

  const set = (number: number, part: Partial<SplitState>) =>
    store.set((all) => (all.number === number ? { ...all, ...part } : all));
  const next = (number: number) =>
    set(number, { ...none, requested: store.get().requested.slice(1), number: number + 1 });

  /** The drafts left by the last try, unless their name differs. */
  function existing(title: string): readonly Draft[] {
    const { created, title: before } = store.get();
    if (before === title) return created;
    draftActions.discard(idsOf(created));
    return [];
  }

  async function createDrafts(title: string, parts: readonly { name: string; text: string }[]): Promise<void> {
    const { number } = store.get();
    const isCurrent = () => store.get().number === number;
    let drafts = existing(title);
    set(number, { isCreating: true, created: drafts, title, error: null });
    try {
      await draftStore.save(); // gives the previous page an id to return to
      const before = { ...draftStore.state.get(), document: draftStore.newest() };
      const profile_id = before.document.profile_id ?? voiceId ?? null;
      const bodies = parts.map((part) => ({
        name: part.name,
        content: serializeText(draftActions.newDocument({ text: part.text, profile_id, named: parts.length > 1 })),
      }));
      if (isCurrent())
        await storeRest(bodies, drafts, {
          create: api.create,
          isCurrent,
          created: (created) => {
            drafts = created;
            set(number, { created });
          },
        });
      if (!isCurrent()) return draftActions.discard(idsOf(drafts));
      draftStore.open(drafts[0] ?? null);
      next(number);
      undo({
        text: t("split.made", { count: parts.length, title }),
        commit: () => undefined,
        undo: () => undoSplit(draftActions, idsOf(drafts), before),
      });
    } catch (error) {
      if (isCurrent()) set(number, { isCreating: false, error });
      else draftActions.discard(idsOf(drafts));
    }
  }

  return {
    /** The text of the dialog, and the number of drafts created so far. */
    requested: current.requested[0],
    number: current.number,
    created: current.isCreating ? current.created.length : null,
    error: current.error,
    createDrafts,
    request: (text: LongText) => store.set((all) => ({ ...all, requested: [...all.requested, text] })),
    /** Cancels the split and deletes the drafts that it created. */
    cancel: () => {
      const { number, isCreating, created } = store.get();
      next(number);
      if (!isCreating) draftActions.discard(idsOf(created));
    },
  };
}

export type Split = ReturnType<typeof useSplit>;
