import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, toApiError } from "@/api/errors";
import {
  exportProfile,
  useDeleteProfile,
  useDuplicateProfile,
  useImportProfile,
  useRestorePresets,
} from "@/api/profiles";
import type { ConsentKind, Profile } from "@/api/types";
import type { Voice } from "./library";
import { setLeaving } from "./leaving";
import { useErrorText } from "@/i18n/errors";
import { useToast, useUndo } from "@/ui";

/** Why a file was refused, with its name and what is expected instead. */
function useImportProblem() {
  const { t } = useTranslation("voices");
  const words = useErrorText();
  return (error: unknown, file: File) => {
    const cause = toApiError(error);
    const { title, remedy } = words(cause);
    if (cause.code === "unsupported_media" && cause.params.reason !== "profile_newer")
      return failureOf({
        code: "not_a_voice",
        detail: t("notVoiceFile.title", { file: file.name }),
        remedy: t("notVoiceFile.remedy"),
      });
    return failureOf({ code: "voice_not_imported", detail: t("notImported", { file: file.name, why: title }), remedy });
  };
}

/** The actions on voices. `show` is called with the resulting voice. */
export function useVoiceActions(show: (profile: Profile) => void) {
  const { t } = useTranslation("voices");
  const toast = useToast();
  const undo = useUndo();
  const remove = useDeleteProfile();
  const duplicate = useDuplicateProfile();
  const bring = useImportProfile();
  const restore = useRestorePresets();
  const importProblem = useImportProblem();
  const [problem, setProblem] = useState<unknown>(null);
  const [unstated, setUnstated] = useState<File | null>(null);
  const ends = <R>(then: (result: R) => void) => ({
    onError: setProblem,
    onSuccess: (result: R) => {
      setProblem(null);
      then(result);
    },
  });

  return {
    problem,
    dismiss: () => setProblem(null),
    isImporting: bring.isPending,
    remove({ name, profile: { id } }: Voice): void {
      setLeaving(id, true);
      undo({
        text: t("deleted", { name }),
        undo: () => setLeaving(id, false),
        // It stays hidden after success, as the list may not have been refetched yet.
        commit: () =>
          void remove.mutateAsync(id).catch(() => {
            setLeaving(id, false);
            toast({ text: t("notDeleted", { name }) });
          }),
      });
    },
    duplicate: (profile: Profile) =>
      duplicate.mutate(
        profile.id,
        ends((copy) => {
          toast({ text: t("duplicated", { name: copy.name }) });
          show(copy);
        }),
      ),
    download: ({ name, profile }: Voice) =>
      void exportProfile(profile).then(() => toast({ text: t("exported", { name }) }), setProblem),
    /** A file that has samples, whose consent must be stated again before it is imported. */
    unstated,
    forget: () => setUnstated(null),
    bring: (file: File, consent?: ConsentKind) => {
      setUnstated(null);
      bring.mutate(
        { file, ...(consent ? { consent } : {}) },
        {
          ...ends((profile: Profile) => {
            toast({ text: t("imported", { name: profile.name }) });
            show(profile);
          }),
          onError: (error) => (error.field("consent") ? setUnstated(file) : setProblem(importProblem(error, file))),
        },
      );
    },
    restore: () =>
      restore.mutate(
        undefined,
        ends(({ items }) => {
          for (const { id } of items) setLeaving(id, false);
          toast({ text: items.length > 0 ? t("restored", { count: items.length }) : t("nothingToRestore") });
        }),
      ),
  };
}

export type VoiceActions = ReturnType<typeof useVoiceActions>;
