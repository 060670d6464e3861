import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Book, BookChapter } from "@/api/types";
import { VirtualList } from "@/ui";
import { ChapterOptions } from "../voice/ChapterOptions";
import type { ChapterEdits } from "./chapterMenu";
import { ChapterRow } from "./ChapterRow";
import { ChapterToolbar } from "./ChapterToolbar";
import { focusChapter } from "./focus";
import { SplitDialog } from "./SplitDialog";
import { useChapterKeys } from "./useChapterKeys";
import type { Corrections } from "./useCorrections";

/** What is open of a chapter. */
interface Open {
  id: string;
  what: "title" | "text" | "options";
}

/** The chapters of a book in their order, and what corrects them. One row is a tab stop; the arrow keys move it. */
export function ChapterList({ book, corrections }: { book: Book; corrections: Corrections }) {
  const { t } = useTranslation("books");
  const [open, setOpen] = useState<Open | null>(null);
  const { chapters } = book;

  function editsOf(chapter: BookChapter, at: number): ChapterEdits {
    const { id } = chapter;
    return {
      rename: () => setOpen({ id, what: "title" }),
      split: () => setOpen({ id, what: "text" }),
      options: () => setOpen({ id, what: "options" }),
      merge: () => void (at + 1 < chapters.length && corrections.merge(chapter).then(() => focusChapter(id))),
      toggleSkipped: () => corrections.setSkipped(chapter, !chapter.skipped),
      move(by) {
        const to = at + by;
        if (to < 0 || to >= chapters.length) return;
        corrections.move(chapter, to);
        requestAnimationFrame(() => focusChapter(id)); // its element has been put elsewhere, without the focus
      },
    };
  }
  const control = useChapterKeys({ chapters, editsOf });
  const opened = chapters.find(({ id }) => id === open?.id);
  function onRenamed(chapter: BookChapter, title: string | null) {
    setOpen(null);
    if (title !== null) corrections.rename(chapter, title);
    requestAnimationFrame(() => focusChapter(chapter.id));
  }
  return (
    // The rows have the focus; this handles the keys that move between them.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="bk-chapters" onKeyDown={control.onKeyDown}>
      <ChapterToolbar book={book} corrections={corrections} />
      <VirtualList
        items={chapters}
        keyOf={({ id }) => id}
        estimate={36}
        label={t("chapterList")}
        className="min-h-0 flex-1 pb-16"
        focusIndex={control.at}
        render={(chapter, index) => (
          <ChapterRow
            book={book}
            chapter={chapter}
            number={index + 1}
            isActive={chapter.id === control.active?.id}
            isRenaming={open?.what === "title" && open.id === chapter.id}
            isMenuOpen={control.menu === chapter.id}
            edits={editsOf(chapter, index)}
            onActive={() => control.setActive(chapter.id)}
            onMenu={(isOpen) => control.setMenu(isOpen ? chapter.id : null)}
            onRenamed={(title) => onRenamed(chapter, title)}
          />
        )}
      />
      {opened && open?.what === "text" ? (
        <SplitDialog book={book} chapter={opened} split={corrections.split} onClose={() => setOpen(null)} />
      ) : null}
      {opened && open?.what === "options" ? (
        <ChapterOptions book={book} chapter={opened} corrections={corrections} onClose={() => setOpen(null)} />
      ) : null}
    </div>
  );
}
