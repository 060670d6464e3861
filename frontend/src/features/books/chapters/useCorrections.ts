import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  useMergeBookChapter,
  useMoveBookChapter,
  usePatchBook,
  usePatchBookChapter,
  useSplitBookChapter,
  useUndoBook,
} from "@/api/books";
import { keys } from "@/api/keys";
import type { Book, BookChapter, BookOptions } from "@/api/types";
import { announce } from "@/lib/announce";
import { useToast } from "@/ui";
import { guarded } from "../state";
import { noteChange, useUndoText } from "./undoTexts";

/** Returns the chapters with one of them at another place. */
export function moved(chapters: readonly BookChapter[], id: string, to: number): BookChapter[] {
  const chapter = chapters.find((one) => one.id === id);
  const others = chapters.filter((one) => one.id !== id);
  return chapter ? [...others.slice(0, to), chapter, ...others.slice(to)] : others;
}

/** All changes of a book that can be undone; each shows its error above the list and is remembered by what it did. */
export function useCorrections(book: Book) {
  const { t } = useTranslation("books");
  const client = useQueryClient();
  const toast = useToast();
  const { id } = book;
  const { mutateAsync: patch } = usePatchBook(id);
  const { mutateAsync: patchChapter } = usePatchBookChapter(id);
  const { mutateAsync: merge } = useMergeBookChapter(id);
  const { mutateAsync: split } = useSplitBookChapter(id);
  const { mutateAsync: move } = useMoveBookChapter(id);
  const { mutateAsync: takeBack } = useUndoBook(id);
  const named = useUndoText(id, book.undos);

  /** Shows a change before the server has answered. */
  const showNow = (change: (chapters: readonly BookChapter[]) => BookChapter[]) =>
    client.setQueryData<Book>(keys.book(id), (now) => now && { ...now, chapters: change(now.chapters) });
  const showChapter = (chapter: string, part: Partial<BookChapter>) =>
    showNow((all) => all.map((one) => (one.id === chapter ? { ...one, ...part } : one)));

  const undo = () =>
    void guarded(async () => {
      if (book.undos === 0) return;
      await takeBack(undefined);
      toast({ text: named === undefined ? t("undo.done") : t("undo.doneNamed", { text: named }) });
    });
  /** Runs a change; `text` says what it did; Undo is beside the chapters. */
  function run(work: () => Promise<Book>, text: string, isLarge = false): Promise<void> {
    return guarded(async () => {
      const { undos } = await work();
      noteChange(id, undos, text);
      if (isLarge) toast({ text });
      else announce(text);
    });
  }
  return {
    undo,
    /** What Undo brings back, for its hint. */
    undoText: named === undefined ? t("undo.title") : t("undo.named", { text: named }),
    rename(chapter: BookChapter, title: string) {
      showChapter(chapter.id, { title });
      void run(() => patchChapter({ chapter: chapter.id, title }), t("change.rename", { title }));
    },
    setSkipped(chapter: BookChapter, skipped: boolean) {
      showChapter(chapter.id, { skipped });
      const text = t(skipped ? "change.skip" : "change.include", { title: chapter.title });
      void run(() => patchChapter({ chapter: chapter.id, skipped }), text);
    },
    setChapterOptions: (chapter: BookChapter, options: BookOptions) =>
      run(() => patchChapter({ chapter: chapter.id, options }), t("change.chapterOptions", { title: chapter.title })),
    merge: (chapter: BookChapter) => run(() => merge(chapter.id), t("change.merge", { title: chapter.title }), true),
    split: (chapter: BookChapter, block: number, title: string) =>
      run(
        () => split({ chapter: chapter.id, block, ...(title === "" ? {} : { title }) }),
        t("change.split", { title: chapter.title }),
        true,
      ),
    move(chapter: BookChapter, to: number) {
      showNow((all) => moved(all, chapter.id, to));
      void run(() => move({ chapter: chapter.id, to }), t("change.move", { title: chapter.title, place: to + 1 }));
    },
    setDepth: (depth: number) => run(() => patch({ depth }), t("change.depth", { depth }), true),
    setOptions: (options: BookOptions, text: string) => run(() => patch({ options }), text),
  };
}

export type Corrections = ReturnType<typeof useCorrections>;
