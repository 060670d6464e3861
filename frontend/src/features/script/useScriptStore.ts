import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { draftApi, kindOf, lastDraftOf, readDraft } from "@/api/drafts";
import type { ApiError } from "@/api/errors";
import { useProfiles } from "@/api/profiles";
import type { Draft, Profile } from "@/api/types";
import { useDraftEvents } from "@/features/drafts/useDraftEvents";
import { href, navigate, useRoute } from "@/lib/router";
import { createStore, useStore } from "@/lib/store";
import { fromText, type FromText } from "./fromText";
import { emptyScript } from "./model";
import { createScriptStore, parseScript, unsaved, type ScriptStore } from "./scriptStore";
import { firstVoice } from "./voices";

const longestName = 70; // leaves space for the suffix of a copy

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
      copyOf: (name) => t("copyOf", { name: name.slice(0, longestName) }),
    });
  if (!known) stores.set(client, store);
  return store;
}

/** What the screen shows: the address it was opened at, the draft it is saved as, and its number in the store. */
interface Shown {
  address: string;
  id: string | undefined;
  isReadable: boolean;
  opened: number;
}

/** Opens a text as a script, and saves it as one. Undo returns to the script that it was before. */
function openAsScript(store: ScriptStore, draft: Draft, { script, before }: FromText): void {
  store.open(draft, before ? { ...script, ...before, ...(script.source ? { source: script.source } : {}) } : script);
  if (before) store.change(() => script, true);
  store.markChanged();
}

interface Defaults {
  names: readonly [string, string];
  voices: readonly Profile[];
}

/**
 * Opens a draft in the store, or an empty script, and reports whether it is readable. A draft that is already open is
 * not reloaded.
 */
function openDraft(store: ScriptStore, draft: Draft | null, { names, voices }: Defaults): boolean {
  const { opened, id } = store.state.get();
  const lost = opened === 0 ? unsaved.all() : [];
  const isText = draft !== null && kindOf(draft) === "text";
  const made = isText ? fromText(draft.content, { title: draft.name, names, voices }) : null;
  if (draft && !made && parseScript(draft.content) === null) return false;
  if (draft && made) openAsScript(store, draft, made);
  else if (draft && draft.id === id) void store.refresh();
  else store.open(draft, draft ? undefined : emptyScript(names, firstVoice(voices)?.id ?? ""));
  for (const other of lost) if (other.id === undefined || other.id !== draft?.id) void store.saveLost(other);
  return true;
}

/** Opens the script of the address: the draft that it names, an empty one, or the last one. */
export function useOpenScript() {
  const { t } = useTranslation("script");
  const { segments, query } = useRoute();
  const store = useScriptStore();
  const { id: savedId } = useStore(store.state);
  const voices = useProfiles({});
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
  const isReady = !isOpen && opening.data !== undefined && !voices.isLoading;
  const draft = opening.data ?? null;

  const open = useEffectEvent(() => {
    const names: [string, string] = [t("firstSpeaker"), t("secondSpeaker")];
    const isReadable = openDraft(store, draft, { names, voices: voices.items });
    shownStore.set({ address, id: draft?.id, isReadable, opened: store.state.get().opened });
  });
  useEffect(() => {
    if (isReady) open();
  }, [isReady, address]);

  // The first save, and a copy after a conflict, get a new id, by which a reload finds the draft.
  const followId = useEffectEvent((newId: string) => {
    if (!shown?.isReadable || shown.id === newId || shown.opened !== store.state.get().opened) return;
    shownStore.set({ ...shown, id: newId });
    navigate(href("script", [newId]), { replace: true });
  });
  useEffect(() => {
    if (savedId !== undefined) followId(savedId);
  }, [savedId]);

  useDraftEvents(store);
  return {
    store,
    shown: isOpen ? shown : null,
    voices: voices.items,
    error: isOpen ? null : (opening.error ?? voices.error),
    retry: () => {
      void opening.refetch();
      void voices.refetch();
    },
  };
}
