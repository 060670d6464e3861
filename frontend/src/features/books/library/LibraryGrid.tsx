import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { BookRow } from "@/api/types";
import { CoverActions } from "../listen/CoverActions";
import { LibraryBook } from "./LibraryBook";

const linkOf = (id: string) => document.querySelector<HTMLElement>(`[data-book="${CSS.escape(id)}"]`);

/** Moves the focus from the search field to the books. */
export const focusBooks = (): void => document.querySelector<HTMLElement>("[data-book][tabindex='0']")?.focus();

/** Returns how many books are beside each other. */
function columnsOf(list: Element): number {
  const tops = [...list.children].map((item) => item.getBoundingClientRect().top);
  return Math.max(1, tops.filter((top) => top === tops[0]).length);
}

interface Props {
  books: readonly BookRow[];
  /** Deletes a book, which can be undone. */
  onRemove(book: BookRow): void;
}

/** The covers of all books. One is a tab stop; the arrow keys move it. */
export function LibraryGrid({ books, onRemove }: Props) {
  const { t } = useTranslation("books");
  const [wanted, setWanted] = useState("");
  const active = books.find(({ id }) => id === wanted) ?? books[0];
  const at = active ? books.indexOf(active) : -1;

  function moveTo(index: number) {
    const book = books[Math.max(0, Math.min(books.length - 1, index))];
    if (!book) return;
    setWanted(book.id);
    linkOf(book.id)?.focus();
  }
  function remove(book: BookRow) {
    const next = books[at + 1] ?? books[at - 1];
    onRemove(book);
    if (next) {
      setWanted(next.id);
      linkOf(next.id)?.focus();
    }
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (!(event.target instanceof Element) || !event.target.matches("[data-book]") || !active) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isRtl = document.dir === "rtl";
    const columns = columnsOf(event.currentTarget);
    const keys: Record<string, () => void> = {
      ArrowRight: () => moveTo(at + (isRtl ? -1 : 1)),
      ArrowLeft: () => moveTo(at + (isRtl ? 1 : -1)),
      ArrowDown: () => (at + columns < books.length ? moveTo(at + columns) : undefined),
      ArrowUp: () => (at >= columns ? moveTo(at - columns) : undefined),
      PageDown: () => moveTo(at + 3 * columns),
      PageUp: () => moveTo(at - 3 * columns),
      Home: () => moveTo(0),
      End: () => moveTo(books.length - 1),
      Delete: () => remove(active),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
  return (
    // The links have the focus; this handles the keys that move between them.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul className="bk-library" aria-label={t("library")} onKeyDown={onKeyDown}>
      {books.map((book) => (
        <li key={book.id} className="bk-tile" data-row="">
          <LibraryBook book={book} isActive={book.id === active?.id} onActive={() => setWanted(book.id)} />
          <CoverActions
            book={book}
            tabIndex={book.id === active?.id ? 0 : -1}
            onFocus={() => setWanted(book.id)}
            onRemove={() => remove(book)}
          />
        </li>
      ))}
    </ul>
  );
}
