import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { upload } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { useToast } from "@/ui";
import { useFormat } from "@/i18n/format";
import { fit, maxCharacters } from "./content";
import type { DraftDeeds } from "./useDraftDeeds";

interface Extracted { text: string; title: string; format: string }

export const fileTypes = ".txt,.md,.srt,.epub,.pdf";

const quiet = 5_000; // someone who types on at the limit is told once, not at each key

/** Says how much of a text did not fit. */
export function useCutWords() {
  const last = useRef(0);
  const { t } = useTranslation("studio");
  const format = useFormat();
  const toast = useToast();
  return (cut: number) => {
    if (cut === 0 && Date.now() - last.current < quiet) return;
    last.current = Date.now();
    toast({ text: cut > 0 ? t("cut", { limit: format.number(maxCharacters), left: format.number(cut) }) : t("full", { limit: format.number(maxCharacters) }) });
  };
}

/** Reads the text out of a file into a draft of its own, so that no page is lost. */
export function useFiles(deeds: DraftDeeds) {
  const { t } = useTranslation("studio");
  const toast = useToast();
  const cutWords = useCutWords();
  const extraction = useMutation<Extracted, ApiError, File>({
    mutationFn: (file) => upload<Extracted>("/text/extract", file),
    onSuccess: ({ text, title }, file) => {
      const { text: part, cut } = fit(text, 0);
      deeds.create({ text: part }, (title || file.name.replace(/\.\w+$/, "")).slice(0, 100));
      if (cut > 0) cutWords(cut);
      else toast({ text: t("files.opened", { name: file.name }) });
    },
  });
  return {
    open: (files: readonly File[]) => {
      const [file] = files;
      if (file && !extraction.isPending) extraction.mutate(file);
    },
    reading: extraction.isPending ? extraction.variables.name : null,
    error: extraction.error,
    again: () => { if (extraction.variables) extraction.mutate(extraction.variables); },
    dismiss: extraction.reset,
  };
}
