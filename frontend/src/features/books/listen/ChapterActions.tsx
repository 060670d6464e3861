import { RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useGenerateBook } from "@/api/books";
import type { Book, BookChapter } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { IconButton } from "@/ui";
import { guarded } from "../state";

interface Props {
  book: Book;
  chapter: BookChapter;
  /** That of the row, one of whose controls is a tab stop. */
  tabIndex: number;
  onFocus(): void;
}

/** How far the audio of a chapter is, and what can be done with it. */
export function ChapterActions({ book, chapter, tabIndex, onFocus }: Props) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const { mutateAsync: generate } = useGenerateBook(book.id);
  if (chapter.skipped) return null;
  const { id, state, wanted } = chapter;
  return (
    <>
      <span className="w-24 flex-none truncate text-end text-12 text-ink-3">
        {wanted && state !== "done" ? format.percent(chapter.progress) : t(`states.${state}`)}
      </span>
      <IconButton
        label={t("regenerateOf", { title: chapter.title })}
        className="k-later"
        icon={<RotateCcw size={16} />}
        tabIndex={tabIndex}
        onFocus={onFocus}
        onClick={() => void guarded(() => generate({ chapters: [id], again: state === "done" }))}
      />
    </>
  );
}
