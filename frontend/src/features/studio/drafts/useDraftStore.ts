import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { draftDoor, isGone, lastDraftOf, readDraft } from "@/api/drafts";
import type { ApiError } from "@/api/errors";
import type { Draft } from "@/api/types";
import { emptyContent, isScript } from "./content";
import { createKeeper, lastDraft, unsaved, type Keeper, type KeeperOptions } from "./draftStore";

const longestName = 90; // leaves room for the word that makes it a copy

/** One keeper for the window, so that leaving the screen and coming back loses nothing. */
const keepers = new WeakMap<QueryClient, Keeper>();

function keeperOf(client: QueryClient, words: Pick<KeeperOptions, "untitled" | "copyOf">): Keeper {
  const known = keepers.get(client);
  if (known) return known;
  const keeper = createKeeper({ ...words, door: draftDoor(client) });
  keepers.set(client, keeper);
  return keeper;
}

async function newestDraft(signal: AbortSignal): Promise<Draft | null> {
  const id = lastDraft();
  const last = id
    ? await readDraft(id, signal).catch((error: unknown) => {
        if (isGone(error)) return null; // deleted elsewhere
        throw error;
      })
    : null;
  return last && !isScript(last) ? last : lastDraftOf("text", { signal });
}

/** Opens what was open last, and brings back what ended windows could not save: on the page where it belongs to this draft. */
function begin(keeper: Keeper, draft: Draft | null, firstText: string): void {
  const rescues = unsaved.all();
  const mine = rescues.find(({ id, since }) => id === undefined || (id === draft?.id && since === draft.updated_at));
  if (mine) keeper.restore(mine, mine.id === undefined ? null : draft);
  else if (draft) keeper.open(draft);
  else keeper.open(null, { ...emptyContent, text: firstText });
  for (const rescue of rescues) if (rescue !== mine) void keeper.bringBack(rescue);
}

/** The open draft. `ready` is false until the first one is there. */
export function useKeeper() {
  const { t } = useTranslation("studio");
  const client = useQueryClient();
  const keeper = keeperOf(client, {
    untitled: t("drafts.untitled"),
    copyOf: (name) => t("drafts.copyOf", { name: name.slice(0, longestName) }),
  });
  const isOpen = keeper.state.get().opened > 0;
  const opening = useQuery<Draft | null, ApiError>({
    queryKey: ["studio", "opening"],
    queryFn: ({ signal }) => newestDraft(signal),
    enabled: !isOpen,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data } = opening;
  const firstText = t("firstText");
  useEffect(() => {
    if (data !== undefined && keeper.state.get().opened === 0) begin(keeper, data, firstText);
  }, [data, keeper, firstText]);
  useEffect(() => {
    const leave = () => keeper.leave();
    const back = () => void keeper.refresh();
    const turn = () => void (document.visibilityState === "hidden" ? keeper.save() : keeper.refresh());
    window.addEventListener("pagehide", leave);
    window.addEventListener("focus", back);
    document.addEventListener("visibilitychange", turn);
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("focus", back);
      document.removeEventListener("visibilitychange", turn);
    };
  }, [keeper]);
  return { keeper, error: opening.error, retry: () => void opening.refetch() };
}
