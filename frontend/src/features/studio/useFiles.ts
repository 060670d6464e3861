import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { upload } from "@/api/client";
import { ApiError } from "@/api/errors";
import { useToast } from "@/ui";
import { useFormat } from "@/i18n/format";
import { maxCharacters } from "./content";
import { fileGone } from "./fileWords";
import type { DraftDeeds } from "./useDraftDeeds";
import type { Problem, Problems } from "./useProblems";
import type { LongText } from "./useSplit";

interface Extracted { text: string; title: string }

export const fileTypes = ".txt,.md,.srt,.epub,.pdf";
const longestName = 100;
const quiet = 5_000; // someone who types on at the limit is told once, not at each key

/** Says that the page is full, and offers the next one. */
export function useFullWords(next: () => void) {
  const last = useRef(0);
  const { t } = useTranslation("studio");
  const format = useFormat();
  const toast = useToast();
  return () => {
    if (Date.now() - last.current < quiet) return;
    last.current = Date.now();
    toast({ text: t("full", { limit: format.number(maxCharacters) }), action: { label: t("drafts.newOne"), run: next } });
  };
}

/** A file that is gone, or a folder, would look as if the program did not answer. */
function look(file: File): Promise<void> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done();
    reader.onerror = () => failed(new ApiError(0, { code: fileGone }));
    reader.readAsArrayBuffer(file.slice(0, 1));
  });
}

async function extract(file: File): Promise<Extracted> {
  await look(file);
  return upload<Extracted>("/text/extract", file);
}

/** Reads the text out of files into drafts of their own, one after the other, so that no page is lost. */
export function useFiles(deeds: DraftDeeds, problems: Problems, tooLong: (text: LongText) => void) {
  const { t } = useTranslation("studio");
  const toast = useToast();
  const [reading, setReading] = useState<string | null>(null);
  const queue = useRef<File[]>([]);
  const isBusy = useRef(false);

  function take({ text, title }: Extracted, name = ""): void {
    const called = (title || name.replace(/\.\w+$/, "")).slice(0, longestName);
    if (text.length > maxCharacters) return tooLong({ title: called, text });
    deeds.create({ text }, called || undefined);
    toast({ text: t("files.opened", { name: name || called }) });
  }

  async function readAll(): Promise<void> {
    const failed: Problem[] = [];
    isBusy.current = true;
    for (let file = queue.current.shift(); file; file = queue.current.shift()) {
      setReading(file.name);
      try {
        take(await extract(file), file.name);
      } catch (error) {
        failed.push({ error, file, isFile: true });
      }
    }
    isBusy.current = false;
    setReading(null);
    problems.show(failed);
  }

  return {
    reading,
    open: (files: readonly File[]): void => {
      queue.current.push(...files);
      if (!isBusy.current && files.length > 0) void readAll();
    },
    /** By the dialog of the desktop, where the window has one, else by that of the browser. */
    choose: (browser: () => void): void => {
      const dialog = window.go?.app?.Bridge?.OpenText;
      if (!dialog) browser();
      else void dialog().then((doc) => { if (doc) take(doc); }, (error: unknown) => problems.show([{ error, isFile: true }]));
    },
  };
}

export type Files = ReturnType<typeof useFiles>;
