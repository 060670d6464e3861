import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { upload } from "@/api/client";
import { ApiError } from "@/api/errors";
import { useStore } from "@/lib/store";
import { useToast } from "@/ui";
import { useFormat } from "@/i18n/format";
import { besideKeeper } from "../drafts/storePerDraftStore";
import { maxCharacters, plainLines } from "../drafts/content";
import { fileGone } from "./fileErrors";
import type { DraftDeeds } from "../drafts/useDraftActions";
import type { Problem, Problems } from "./useProblems";
import type { LongText } from "./useSplit";

interface Extracted {
  text: string;
  title: string;
}

export const fileTypes = ".txt,.md,.srt,.epub,.pdf";
const longestName = 100;
const quiet = 5_000; // someone who types on at the limit is told once, not at each key

/** The file that is being read, and those that wait for it. */
const workOf = besideKeeper<{ reading: string | null; waiting: readonly File[] }>({ reading: null, waiting: [] });

/** Says that the page is full, and offers the next one. */
export function useFullWords(next: () => void) {
  const last = useRef(0);
  const { t } = useTranslation("studio");
  const format = useFormat();
  const toast = useToast();
  return () => {
    if (Date.now() - last.current < quiet) return;
    last.current = Date.now();
    toast({
      text: t("full", { limit: format.number(maxCharacters) }),
      action: { label: t("drafts.newOne"), run: next },
    });
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
  const work = workOf(deeds.keeper);
  const { reading } = useStore(work);

  function take({ text: given, title }: Extracted, name = ""): void {
    const text = plainLines(given);
    const called = (title || name.replace(/\.\w+$/, "")).slice(0, longestName);
    if (text.length > maxCharacters) return tooLong({ title: called, text });
    deeds.create({ text }, called || undefined);
    toast({ text: t("files.opened", { name: name || called }) });
  }

  async function readAll(): Promise<void> {
    const failed: Problem[] = [];
    for (let [file, ...waiting] = work.get().waiting; file; [file, ...waiting] = work.get().waiting) {
      work.set({ reading: file.name, waiting });
      try {
        take(await extract(file), file.name);
      } catch (error) {
        failed.push({ error, file, isFile: true });
      }
    }
    work.set({ reading: null, waiting: [] });
    problems.show(failed);
  }

  return {
    reading,
    open: (files: readonly File[]): void => {
      const { reading: now, waiting } = work.get();
      work.set({ reading: now, waiting: [...waiting, ...files] });
      if (now === null && files.length > 0) void readAll();
    },
    /** By the dialog of the desktop, where the window has one, else by that of the browser. */
    choose: (browser: () => void): void => {
      const dialog = window.go?.desktop?.Bridge?.OpenText;
      if (!dialog) browser();
      else
        void dialog().then(
          (doc) => {
            if (doc) take(doc);
          },
          (error: unknown) => problems.show([{ error, isFile: true }]),
        );
    },
  };
}

export type Files = ReturnType<typeof useFiles>;
