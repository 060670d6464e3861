import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import { draftNames } from "@/api/drafts";
import { extractText } from "@/api/text";
import { createStore, useStore, type Store } from "@/lib/store";
import { useToast } from "@/ui";
import { useFormat } from "@/i18n/format";
import type { TextStore } from "../drafts/textStore";
import { nameOf, titleOfFile } from "@/features/drafts/name";
import { perKey } from "@/features/drafts/perKey";
import { maxCharacters, plainLines } from "../drafts/textDocument";
import { fileGone } from "@/api/fileErrors";
import type { DraftActions } from "../drafts/useDraftActions";
import type { Problem, Problems } from "./useProblems";
import type { LongText } from "./useSplit";

type Extracted = Awaited<ReturnType<typeof extractText>>;
export type Note = Extracted["notes"][number];

const noticeInterval = 5_000; // milliseconds: typing at the limit shows one notice, not one for each key press

/** A file with the parts of it that were left out or changed. */
export interface NotedFile {
  name: string;
  notes: readonly Note[];
}
interface ImportQueue {
  importing: string | null;
  waiting: readonly File[];
  /** Of the files that were opened last. */
  noted: readonly NotedFile[];
}
/** The file that is being read, and those waiting. */
const queueOf = perKey<TextStore, Store<ImportQueue>>(() =>
  createStore<ImportQueue>({ importing: null, waiting: [], noted: [] }),
);

/** Reports that the page is full, and offers a new one. */
export function useFullNotice(next: () => void) {
  const lastShown = useRef(0);
  const { t } = useTranslation("studio");
  const format = useFormat();
  const toast = useToast();
  return () => {
    if (Date.now() - lastShown.current < noticeInterval) return;
    lastShown.current = Date.now();
    toast({
      text: t("full", { limit: format.number(maxCharacters) }),
      action: { label: t("drafts.newOne"), run: next },
    });
  };
}

/** Checks for a deleted file or a folder, which would otherwise look as if the server did not respond. */
function checkReadable(file: File): Promise<void> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done();
    reader.onerror = () => failed(new ApiError(0, { code: fileGone }));
    reader.readAsArrayBuffer(file.slice(0, 1));
  });
}

async function extract(file: File): Promise<Extracted> {
  await checkReadable(file);
  return extractText(file);
}

/** Reads the text of files into separate drafts, one after the other, so that no page is overwritten. */
export function useFileImport(draftActions: DraftActions, problems: Problems, tooLong: (text: LongText) => void) {
  const { t } = useTranslation("studio");
  const toast = useToast();
  const queue = queueOf(draftActions.draftStore);
  const { importing, noted } = useStore(queue);
  const set = (part: Partial<ImportQueue>) => queue.set((all) => ({ ...all, ...part }));

  function importText(extracted: Extracted, fileName: string, taken: Set<string>): void {
    const text = plainLines(extracted.text);
    if (extracted.notes.length > 0) set({ noted: [...queue.get().noted, { name: fileName, notes: extracted.notes }] });
    const title = titleOfFile({ name: fileName, title: extracted.has_title ? extracted.title : "", text }, taken);
    taken.add(title || nameOf(text, ""));
    if (text.length > maxCharacters) return tooLong({ title, text });
    draftActions.create({ text }, title || undefined);
    toast({ text: t("files.opened", { name: fileName }) });
  }

  async function readAll(): Promise<void> {
    const failed: Problem[] = [];
    set({ noted: [], importing: queue.get().waiting[0]?.name ?? null });
    const taken = new Set(await draftNames());
    for (let [file, ...waiting] = queue.get().waiting; file; [file, ...waiting] = queue.get().waiting) {
      set({ importing: file.name, waiting });
      try {
        importText(await extract(file), file.name, taken);
      } catch (error) {
        failed.push({ error, file });
      }
    }
    set({ importing: null, waiting: [] });
    problems.show(failed);
  }

  return {
    importing,
    noted,
    closeNotes: (file: NotedFile): void => set({ noted: noted.filter((other) => other !== file) }),
    open: (files: readonly File[]): void => {
      const { importing: now, waiting } = queue.get();
      set({ waiting: [...waiting, ...files] });
      if (now === null && files.length > 0) void readAll();
    },
  };
}

export type FileImport = ReturnType<typeof useFileImport>;
