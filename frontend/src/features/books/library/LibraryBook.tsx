import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { BookRow } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { href } from "@/lib/router";
import { Cover } from "../Cover";

/** How far a book is, in words: the time left while it is generated, its length otherwise. */
function useStateText(): (book: BookRow) => string {
  const { t } = useTranslation("books");
  const format = useFormat();
  return ({ generating, eta_seconds: eta, progress, state, length_seconds: length }) => {
    const part = t("generatingAt", { part: format.percent(progress) });
    if (generating) return eta === null ? part : `${part} · ${t("timeLeft", { time: format.duration(eta) })}`;
    if (state === "failed") return t("states.failed");
    if (state === "done") return format.duration(length);
    const about = t("length", { time: format.duration(length) });
    return progress > 0 ? `${part} · ${about}` : about;
  };
}

interface Props {
  book: BookRow;
  isActive: boolean;
  onActive(): void;
}

/** A book among all: cover, title, author, how far it is and how long. */
export function LibraryBook({ book, isActive, onActive }: Props) {
  const { t } = useTranslation("books");
  const stateText = useStateText();
  const { id, title, author, progress, generating, state } = book;
  const percent = Math.round(progress * 100);
  const showsBar = generating || (progress > 0 && state !== "done");
  return (
    <div className="bk-book">
      <Cover book={book} width={176} />
      <a
        href={href("books", [id])}
        className="bk-open"
        data-book={id}
        tabIndex={isActive ? 0 : -1}
        onFocus={onActive}
        title={title}
      >
        <span className="line-clamp-2 font-medium break-words" dir="auto" lang={book.language || undefined}>
          {title}
        </span>
      </a>
      {author ? (
        <span className="truncate text-12 text-ink-2" dir="auto">
          {author}
        </span>
      ) : null}
      {showsBar ? (
        <span
          className="k-bar"
          role="progressbar"
          aria-label={t("progressOf", { title })}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <i style={{ "--p": `${percent}%` } as CSSProperties} />
        </span>
      ) : null}
      <span className={state === "failed" ? "text-12 text-danger" : "text-12 text-ink-3"}>{stateText(book)}</span>
    </div>
  );
}
