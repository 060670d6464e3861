import { MoreHorizontal } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Book, BookChapter } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, cx, IconButton, Menu, Row } from "@/ui";
import { ChapterActions } from "../listen/ChapterActions";
import { ChapterPlay } from "../listen/ChapterPlay";
import { useChapterItems } from "../listen/useChapterItems";
import { chapterMenu, type ChapterEdits } from "./chapterMenu";
import { ChapterTitle } from "./ChapterTitle";

interface Props {
  book: Book;
  chapter: BookChapter;
  /** From 1. */
  number: number;
  isActive: boolean;
  isRenaming: boolean;
  isMenuOpen: boolean;
  edits: ChapterEdits;
  onActive(): void;
  onMenu(open: boolean): void;
  onRenamed(title: string | null): void;
}

/** Reports whether a chapter has a part of the sound for itself. */
const hasOwnOptions = ({ options: { profile_id, voice, language, speed } }: BookChapter): boolean =>
  [profile_id, voice, language, speed].some(Boolean);

/** Returns the language of a chapter's text that its voice has not been told, empty where there is none. */
const untoldLanguage = ({ language, options, skipped }: BookChapter): string =>
  language && !options.language && !skipped ? language : "";

export function ChapterRow(props: Props) {
  const { book, chapter, number, isActive, isRenaming, isMenuOpen, edits, onActive, onMenu, onRenamed } = props;
  const { t } = useTranslation("books");
  const format = useFormat();
  const tabIndex = isActive ? 0 : -1;
  const audio = useChapterItems(book, chapter);
  const { title, skipped, level } = chapter;
  const untold = untoldLanguage(chapter);
  const place = { isFirst: number === 1, isLast: number === book.chapters.length };
  return (
    <div className="tr-row bk-row" data-skipped={skipped ? "" : undefined}>
      <Row>
        <span className="w-8 flex-none text-end text-12 text-ink-3">{format.number(number)}</span>
        <ChapterPlay book={book} chapter={chapter} tabIndex={tabIndex} onFocus={onActive} />
        {isRenaming ? (
          <ChapterTitle title={title} onEnd={onRenamed} />
        ) : (
          <button
            type="button"
            className={cx("bk-title", skipped ? "text-ink-3" : "text-ink")}
            style={{ paddingInlineStart: `${Math.min(level - 1, 4) * 16}px` }}
            data-chapter={chapter.id}
            aria-label={t("chapterN", { number, title })}
            tabIndex={tabIndex}
            onFocus={onActive}
            onClick={edits.split}
            dir="auto"
            lang={chapter.language ?? (book.language || undefined)}
          >
            {title}
          </button>
        )}
        {untold ? (
          <Button
            size="small"
            kind="quiet"
            className="flex-none"
            tabIndex={tabIndex}
            onFocus={onActive}
            onClick={edits.options}
          >
            {t("textIn", { language: format.language(untold) })}
          </Button>
        ) : null}
        {hasOwnOptions(chapter) ? (
          <span className="flex-none text-12 text-ink-3 @max-[640px]/main:hidden">{t("ownOptions")}</span>
        ) : null}
        <span className="w-24 flex-none text-end text-12 whitespace-nowrap text-ink-3 @max-[640px]/main:hidden">
          {skipped ? t("skipped") : t("words", { count: chapter.words })}
        </span>
        <ChapterActions
          chapter={chapter}
          generate={audio.generate}
          edits={audio.edits}
          tabIndex={tabIndex}
          onFocus={onActive}
        />
        <Menu
          isOfRow
          groups={[audio.items, ...chapterMenu(t, chapter, edits, place)]}
          open={isMenuOpen}
          onOpenChange={onMenu}
        >
          <IconButton
            label={t("moreOf", { title })}
            className="k-later"
            icon={<MoreHorizontal size={16} />}
            tabIndex={tabIndex}
            onFocus={onActive}
          />
        </Menu>
        {audio.dialogs}
      </Row>
    </div>
  );
}
