import { useGenerateBook, useStopBook } from "@/api/books";
import { acceptedPrice } from "@/api/generations";
import type { Book, BookChapter } from "@/api/types";
import { usePayment } from "@/features/hosted";
import { guarded } from "../state";
import { isSpoken } from "./chapters";

/** Returns the chapters whose audio is missing, incomplete or of another text. */
export const toGenerate = ({ chapters }: Pick<Book, "chapters">): BookChapter[] =>
  chapters.filter((chapter) => isSpoken(chapter) && chapter.state !== "done");

/** Returns the chapter that is generated now, with its number from 1; undefined while none is. */
export function currentChapter({
  chapters,
}: Pick<Book, "chapters">): { chapter: BookChapter; number: number } | undefined {
  const at = chapters.findIndex((chapter) => chapter.wanted && !chapter.skipped && chapter.state !== "done");
  const chapter = chapters[at];
  return chapter && { chapter, number: at + 1 };
}

/** Starts and stops generating a book; errors are shown above its chapters. `dialog` asks for the price of a hosted voice. */
export function useGenerating(id: string) {
  const { mutateAsync: generate, isPending: isStarting } = useGenerateBook(id);
  const { mutateAsync: halt, isPending: isStopping } = useStopBook(id);
  const { pay, dialog } = usePayment();
  return {
    isStarting,
    isStopping,
    dialog,
    /** Generates chapters, by default all that have no audio; `again` also those that have. */
    start: (chapters?: readonly string[], again = false) =>
      guarded(() =>
        pay((accepted) =>
          generate({
            ...(chapters ? { chapters: [...chapters] } : {}),
            ...(again ? { again } : {}),
            ...acceptedPrice(accepted),
          }),
        ),
      ),
    stop: () => guarded(() => halt(undefined)),
  };
}
