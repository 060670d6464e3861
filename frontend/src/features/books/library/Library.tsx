import { BookOpen, FolderOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useBooks } from "@/api/books";
import type { BookRow } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useCommands } from "@/lib/commands";
import { useDropTarget } from "@/lib/dropTarget";
import { href } from "@/lib/router";
import { TopEnd } from "@/lib/slots";
import { Button, EmptyState, ErrorBox, Skeleton } from "@/ui";
import { Cover } from "../Cover";
import { Problem } from "../Problem";
import { useHidden } from "../state";
import { useUploads } from "../uploads";
import { Uploads } from "./Uploads";
import { useIncoming } from "./useIncoming";

/** All books; files that are dropped become new ones. */
export function Library() {
  const { t } = useTranslation("books");
  const incoming = useIncoming();
  const list = useBooks();
  const hidden = useHidden();
  const uploads = useUploads();
  const books = list.items.filter(({ id }) => !hidden.has(id));
  const isEmpty = books.length === 0 && uploads.length === 0 && !list.isLoading && !list.error;
  useDropTarget(t("drop"), incoming.add);
  useCommands([{ id: "books:new", title: t("newBook"), shortcut: "mod+o", run: incoming.choose }]);
  return (
    <>
      <TopEnd>
        <Button
          kind="primary"
          icon={<FolderOpen size={16} aria-hidden />}
          shortcut="mod+o"
          hint={t("chooseFiles")}
          onClick={incoming.choose}
        >
          {t("newBook")}
        </Button>
      </TopEnd>
      {incoming.field}
      <Problem />
      {list.error ? (
        <div className="p-4">
          <ErrorBox
            error={list.error}
            action={
              <Button size="small" onClick={() => void list.refetch()}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
      <Uploads />
      {list.isLoading ? (
        <div className="grid gap-3 p-4">
          {[1, 2, 3, 4].map((n) => (
            <Skeleton key={n} className="h-6" />
          ))}
        </div>
      ) : isEmpty ? (
        <div className="bk-drop">
          <EmptyState
            icon={<BookOpen size={28} aria-hidden />}
            title={t("empty")}
            action={<Button onClick={incoming.choose}>{t("chooseFiles")}</Button>}
          >
            {t("emptyHint")}
          </EmptyState>
        </div>
      ) : (
        <ul className="bk-library" aria-label={t("library")}>
          {books.map((book) => (
            <li key={book.id}>
              <LibraryBook book={book} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function LibraryBook({ book }: { book: BookRow }) {
  const { t } = useTranslation("books");
  const format = useFormat();
  return (
    <a href={href("books", [book.id])} className="bk-book">
      <Cover book={book} width={144} />
      <span className="truncate font-medium" dir="auto" lang={book.language || undefined}>
        {book.title}
      </span>
      <span className="truncate text-12 text-ink-2" dir="auto">
        {book.author}
      </span>
      <span className="text-12 text-ink-3">{t("length", { time: format.length(book.length_seconds) })}</span>
    </a>
  );
}
