import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { draftApi, kindOf, lastDraftOf, readDraft } from "@/api/drafts";
import type { ApiError } from "@/api/errors";
import { useModels } from "@/api/models";
import { useProfiles } from "@/api/profiles";
import type { Draft } from "@/api/types";
import { maxCopied } from "@/features/drafts/name";
import { useDraftEvents } from "@/features/drafts/useDraftEvents";
import { href, navigate, useRoute } from "@/lib/router";
import { createStore, useStore, type Store } from "@/lib/store";
import { fromText, type FromText } from "./fromText";
import type { AsText } from "./pasted/speakers";
import { playsTag } from "./hosted";
import { emptyScript, type ScriptContent } from "./model";
import { createScriptStore, parseScript, unsaved, type ScriptStore } from "./scriptStore";
import { firstVoice } from "./voices";

/** One store for the window, so that leaving the screen and returning loses nothing. */
const stores = new WeakMap<QueryClient, ScriptStore>();

function useScriptStore(): ScriptStore {
  const { t } = useTranslation("script");
  const client = useQueryClient();
  const known = stores.get(client);
  const store =
    known ??
    createScriptStore(draftApi(client), emptyScript([t("firstSpeaker"), t("secondSpeaker")]), {
      untitled: () => t("untitled"),
      copyOf: (name) => t("copyOf", { name: name.slice(0, maxCopied) }),
    });
  if (!known) stores.set(client, store);
  return store;
}

/** A text of the address that is doubtful as a script, and the way on. */
interface Question extends Pick<FromText, "names"> {
  address: string;
  outcome(asText: AsText): { turns: number; left: readonly string[] };
  takeTurns(asText: AsText): void;
  takeText(): void;
}

/** What the screen shows: the address it was opened at, the draft it is saved as, and its number in the store. */
interface Shown {
  address: string;
  id: string | undefined;
  isReadable: boolean;
  opened: number;
}

/** Opens a text as a script; it is stored as one once it is changed. Undo returns to the script that it was before. */
function openAsScript(store: ScriptStore, draft: Draft, { script, before }: FromText): void {
  const earlier = before && { ...script, ...before, ...(script.source ? { source: script.source } : {}) };
  store.view(draft, script, earlier ?? undefined);
}

/**
 * Opens a draft in the store, or an empty script, and reports whether it is readable. A draft that is already open is
 * not reloaded.
 */
function openDraft(store: ScriptStore, draft: Draft | null, made: FromText | null, empty: ScriptContent): boolean {
  const { opened, id } = store.state.get();
  const lost = opened === 0 ? unsaved.all() : [];
  if (draft && !made && parseScript(draft.content) === null) return false;
  if (draft && made) openAsScript(store, draft, made);
  else if (draft && draft.id === id) void store.refresh();
  else store.open(draft, draft ? undefined : empty);
  for (const other of lost) if (other.id === undefined || other.id !== draft?.id) void store.saveLost(other);
  return true;
}

/** Returns what makes scripts of texts with the voices that there are. */
function useConverter() {
  const { t } = useTranslation("script");
  const voices = useProfiles({});
  const models = useModels();
  const names: [string, string] = [t("firstSpeaker"), t("secondSpeaker")];
  return {
    voices,
    isLoading: voices.isLoading || models.isLoading,
    empty: () => emptyScript(names, firstVoice(voices.items)?.id ?? ""),
    /** Returns the script of a text; null for any other draft. */
    convert: (draft: Draft, asText: AsText | "all" = new Set()): FromText | null =>
      kindOf(draft) === "text"
        ? fromText(draft.content, {
            title: draft.name,
            names,
            voices: voices.items,
            playsTag: (voice, direction) => playsTag(models.data ?? [], voice, direction),
            asText,
          })
        : null,
  };
}

/** Puts the id of the shown draft into the address: the first save, and a copy after a conflict, get a new one. */
function useAddress(store: ScriptStore, shownStore: Store<Shown | null>): void {
  const { id: savedId } = useStore(store.state);
  const follow = useEffectEvent((id: string) => {
    const shown = shownStore.get();
    if (!shown?.isReadable || shown.id === id || shown.opened !== store.state.get().opened) return;
    shownStore.set({ ...shown, id });
    navigate(href("script", [id]), { replace: true });
  });
  useEffect(() => {
    if (savedId !== undefined) follow(savedId);
  }, [savedId]);
}

/** Opens the script of the address: the draft that it names, an empty one, or the last one. */
export function useOpenScript() {
  const { segments, query } = useRoute();
  const store = useScriptStore();
  const { voices, isLoading, empty, convert } = useConverter();
  const [shownStore] = useState(() => createStore<Shown | null>(null));
  const shown = useStore(shownStore);
  const id = segments[0];
  const address = id ?? query.get("new") ?? "";
  const isOpen = shown !== null && (address === "" || address === (shown.id ?? shown.address));
  const opening = useQuery<Draft | null, ApiError>({
    queryKey: ["script", "opening", address],
    enabled: !isOpen,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ signal }) => (id ? readDraft(id, signal) : query.has("new") ? null : lastDraftOf("script", { signal })),
  });
  const [questionStore] = useState(() => createStore<Question | null>(null));
  const question = useStore(questionStore);
  const isReady = !isOpen && opening.data !== undefined && !isLoading;
  const draft = opening.data ?? null;

  const open = useEffectEvent(() => {
    const made = draft && convert(draft);
    function show(as: FromText | null): void {
      const isReadable = openDraft(store, draft, as, empty());
      shownStore.set({ address, id: draft?.id, isReadable, opened: store.state.get().opened });
      questionStore.set(null);
    }
    if (!made || made.doubtful.length + made.left.length === 0) return show(made);
    questionStore.set({
      address,
      names: made.names,
      outcome: (asText) => {
        const { script, left } = (draft && convert(draft, asText)) ?? made;
        return { turns: script.turns.length, left };
      },
      takeTurns: (asText) => show(draft && convert(draft, asText)),
      takeText: () => show(draft && convert(draft, "all")),
    });
  });
  useEffect(() => {
    if (isReady) open();
  }, [isReady, address]);

  useAddress(store, shownStore);
  useDraftEvents(store);
  return {
    store,
    shown: isOpen ? shown : null,
    /** Asked before a text is shown as a script; null where nothing is doubtful. */
    question: !isOpen && question?.address === address ? question : null,
    voices: voices.items,
    error: isOpen ? null : (opening.error ?? voices.error),
    retry: () => {
      void opening.refetch();
      void voices.refetch();
    },
  };
}
