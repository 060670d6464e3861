import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { api } from "@/api/client";
import { ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import type { Draft } from "@/api/types";
import { emptyContent, isScript, readContent, type Content } from "./content";
import { createKeeper, lastDraft, readRescue, type Keeper } from "./keeper";

/** One keeper for the window, so that leaving the screen and coming back loses nothing. */
const keepers = new WeakMap<QueryClient, Keeper>();

const asDraft = (content: Content): Draft["content"] => ({ ...content });

function keeperOf(client: QueryClient, untitled: string): Keeper {
  const known = keepers.get(client);
  if (known) return known;
  const stored = (draft: Draft) => {
    client.setQueryData(keys.draft(draft.id), draft);
    return draft;
  };
  const keeper = createKeeper({
    untitled,
    create: ({ name, content }) => api.post("/drafts", { body: { name, content: asDraft(content) } }).then(stored),
    update: ({ id, name, content, keepalive = false }) =>
      api.put("/drafts/{draft_id}", { path: { draft_id: id }, body: { name, content: asDraft(content) }, keepalive }).then(stored),
  });
  keepers.set(client, keeper);
  return keeper;
}

async function newestDraft(signal: AbortSignal): Promise<Draft | null> {
  const id = lastDraft();
  if (id) {
    const draft = await api.get("/drafts/{draft_id}", { path: { draft_id: id }, signal }).catch((error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null; // deleted elsewhere
      throw error;
    });
    if (draft && !isScript(draft)) return draft;
  }
  return (await api.get("/drafts", { query: { limit: 20 }, signal })).items.find((draft) => !isScript(draft)) ?? null;
}

/** Opens what was open last, with what an ended window could not save. */
function begin(keeper: Keeper, draft: Draft | null, firstText: string): void {
  const rescue = readRescue();
  const isNewer = rescue !== null && (rescue.id === draft?.id ? draft === null || rescue.at > Date.parse(draft.updated_at) : rescue.id === undefined);
  if (rescue && isNewer && rescue.content.text !== (draft ? readContent(draft.content).text : "")) {
    keeper.open(rescue.id === undefined ? null : draft, rescue.content);
    keeper.typed();
  } else if (draft) keeper.open(draft);
  else keeper.open(null, { ...emptyContent, text: firstText });
}

/** The open draft. `ready` is false until the first one is there. */
export function useKeeper() {
  const { t } = useTranslation("studio");
  const client = useQueryClient();
  const keeper = keeperOf(client, t("drafts.untitled"));
  const isOpen = keeper.state.get().opened > 0;
  const opening = useQuery<Draft | null, ApiError>({
    queryKey: ["studio", "opening"], queryFn: ({ signal }) => newestDraft(signal), enabled: !isOpen, staleTime: Infinity, gcTime: 0,
  });
  const { data } = opening;
  const firstText = t("firstText");
  useEffect(() => {
    if (data !== undefined && keeper.state.get().opened === 0) begin(keeper, data, firstText);
  }, [data, keeper, firstText]);
  useEffect(() => {
    const leave = () => keeper.leave();
    const hide = () => { if (document.visibilityState === "hidden") void keeper.save(); };
    window.addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", hide);
    return () => {
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", hide);
    };
  }, [keeper]);
  return { keeper, error: opening.error, retry: () => void opening.refetch() };
}
