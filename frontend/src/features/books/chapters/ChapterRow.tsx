import { useTranslation } from "react-i18next";
import type { Book, BookChapter } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { cx, Row } from "@/ui";
import { ChapterActions } from "../listen/ChapterActions";
import { ChapterPlay } from "../listen/ChapterPlay";

interface Props {
  book: Book;
  chapter: BookChapter;
  /** From 1. */
  number: number;
  isActive: boolean;
  onActive(): void;
}

export function ChapterRow({ book, chapter, number, isActive, onActive }: Props) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const tabIndex = isActive ? 0 : -1;
  return (
    <div className="bk-row">
      <Row>
        <span className="w-10 flex-none text-end text-12 text-ink-3">{format.number(number)}</span>
        <ChapterPlay book={book} chapter={chapter} tabIndex={tabIndex} onFocus={onActive} />
        <span
          className={cx("min-w-0 flex-1 truncate", chapter.skipped ? "text-ink-3" : "text-ink")}
          data-chapter={chapter.id}
          role="group"
          aria-label={t("chapterN", { number, title: chapter.title })}
          tabIndex={tabIndex}
          onFocus={onActive}
          dir="auto"
          lang={book.language || undefined}
        >
          {chapter.title}
        </span>
        <span className="w-24 flex-none text-end text-12 whitespace-nowrap text-ink-3 @max-[640px]/main:hidden">
          {chapter.skipped ? t("skipped") : t("words", { count: chapter.words })}
        </span>
        <ChapterActions book={book} chapter={chapter} tabIndex={tabIndex} onFocus={onActive} />
      </Row>
    </div>
  );
}
