import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import { useProfiles } from "@/api/profiles";
import { useSettings } from "@/api/settings";
import type { Model } from "@/api/types";
import { createStore, useStore } from "@/lib/store";
import { useHosted, useWithHosted } from "./hosted";
import { describeVoice } from "./voice";

/** Voices that are deleted when their undo bar ends; no list shows them. */
export const leaving = createStore<ReadonlySet<string>>(new Set());

const none: Model[] = [];

/** Unusable voices that are listed beside the usable ones: none, those of the person that lack a sample, or all. */
type Unusable = "none" | "cloned" | "all";

/** All voices, local and hosted. Filters run in the page, so all are fetched. */
export function useVoices({ unusable = "none" }: { unusable?: Unusable } = {}) {
  const { t } = useTranslation();
  const builtIn = t("builtInVoice");
  const list = useProfiles(unusable === "none" ? {} : { usable: "all" }, 500);
  const models = useModels();
  const settings = useSettings().data;
  const deleted = useStore(leaving);
  const { hasMore, isLoadingMore, loadMore, items } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore) void loadMore();
  }, [hasMore, isLoadingMore, loadMore]);
  const chosen = settings?.["speech.default_voice"];
  const known = models.data ?? (models.isLoading ? undefined : none); // without models it is unknown which are ready
  const described = useMemo(
    () =>
      (known ? items : [])
        .filter((one) => one.usable || unusable === "all" || (unusable === "cloned" && one.voice_type === "cloned"))
        .map((profile) => describeVoice(profile, known ?? none, typeof chosen === "string" ? chosen : "", builtIn)),
    [items, known, chosen, builtIn, unusable],
  );
  const hosted = useHosted();
  const { own, offered } = useWithHosted(described, hosted);
  const voices = useMemo(() => own.filter(({ profile }) => !deleted.has(profile.id)), [own, deleted]);
  return {
    voices,
    /** Those of `voices`, and those that are deleted when their undo bar ends. */
    own,
    /** The voices of the hosted service that have no profile. */
    offered,
    hosted,
    models: known ?? none,
    isLoading: list.isLoading || models.isLoading,
    error: list.error,
    refetch: list.refetch,
  };
}
