import { useTranslation } from "react-i18next";
import type { Book, BookBlock, BookOptions } from "@/api/types";
import { cx } from "@/ui";

const isRead = ({ read }: BookOptions, kind: string | undefined): boolean => !kind || (read ?? []).includes(kind);

interface Props {
  block: BookBlock;
  /** Its number among the blocks of the chapter, from 0. */
  at: number;
  isChosen: boolean;
  book: Book;
  onChoose(): void;
}

/** A paragraph of a chapter, as a place where another one can begin; words that are left out are crossed out. */
export function Paragraph({ block, at, isChosen, book, onChoose }: Props) {
  const { t } = useTranslation("books");
  return (
    <button
      type="button"
      className={cx("bk-block", block.kind === "heading" && "font-semibold")}
      data-block={at}
      aria-pressed={isChosen && at > 0}
      tabIndex={isChosen ? 0 : -1}
      dir="auto"
      lang={book.language || undefined}
      onFocus={onChoose}
      onClick={onChoose}
    >
      {isChosen && at > 0 ? <span className="bk-begin">{t("split.here")}</span> : null}
      {block.kind === "scene" ? (
        <span className="text-ink-3">{t("split.scene")}</span>
      ) : (
        (block.spans ?? []).map((span, i) => (
          <span key={i} className={isRead(book.options, span.class) ? undefined : "text-ink-3 line-through"}>
            {span.text || span.say}
          </span>
        ))
      )}
    </button>
  );
}
