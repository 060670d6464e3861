import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { draftApi, isMissing, lastDraftOf, readDraft } from "@/api/drafts";
import type { ApiError } from "@/api/errors";
import type { Draft } from "@/api/types";
import { maxCopied } from "@/features/drafts/name";
import { useDraftEvents } from "@/features/drafts/useDraftEvents";
import { draftIn } from "@/lib/draftLink";
import { href, navigate, useRoute } from "@/lib/router";
import { openAsText } from "./fromScript";
import { emptyText, isScript, withText } from "./textDocument";
import { createTextStore, lastDraft, unsaved, type TextStore } from "./textStore";

/** One store for the window, so that leaving the screen and returning loses nothing. */
const stores = new WeakMap<QueryClient, TextStore>();

/** Returns the draft of the address, else the one that was open last, else the newest text. */
async function draftToOpen(id: string | null, signal: AbortSignal): Promise<Draft | null> {
  const last = id
    ? await readDraft(id, signal).catch((error: unknown) => {
        if (isMissing(error)) return null; // deleted elsewhere
        throw error;
      })
    : null;
  return last ?? lastDraftOf("text", { signal });
}

/** Opens the last draft, with its unsaved changes from a closed window, and saves all other unsaved drafts. */
function openLast(store: TextStore, draft: Draft | null, firstText: string): void {
  const all = unsaved.all();
  const lost = all.find(({ id, since }) => id === undefined || (id === draft?.id && since === draft.updated_at));
  if (lost) store.restore(lost, lost.id === undefined ? null : draft);
  else if (draft && isScript(draft)) openAsText(store, draft);
  else if (draft) store.open(draft);
  else store.open(null, withText(emptyText, firstText));
  for (const other of all) if (other !== lost) void store.saveLost(other);
}

/** Returns the store of the open draft; no draft is open until the last one has been read. */
export function useDraftStore() {
  const { t } = useTranslation("studio");
  const client = useQueryClient();
  const route = useRoute();
  const known = stores.get(client);
  const store =
    known ??
    createTextStore({
      api: draftApi(client),
      untitled: t("drafts.untitled"),
      copyOf: (name) => t("drafts.copyOf", { name: name.slice(0, maxCopied) }),
    });
  if (!known) stores.set(client, store);
  const opening = useQuery<Draft | null, ApiError>({
    queryKey: ["studio", "opening"],
    queryFn: ({ signal }) => draftToOpen(draftIn(route) ?? lastDraft(), signal),
    enabled: store.state.get().opened === 0,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data } = opening;
  const open = useEffectEvent((draft: Draft | null) => {
    if (draft && isScript(draft) && !route.query.has("text")) navigate(href("script", [draft.id]), { replace: true });
    else openLast(store, draft, t("firstText"));
  });
  useEffect(() => {
    if (data !== undefined && store.state.get().opened === 0) open(data);
  }, [data, store]);
  useDraftEvents(store);
  return { store, error: opening.error, retry: () => void opening.refetch() };
}
