import { BookOpen, FolderOpen, SearchX } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useBooks } from "@/api/books";
import { useCommands } from "@/lib/commands";
import { useDropTarget } from "@/lib/dropTarget";
import { fold } from "@/lib/fold";
import { TopEnd } from "@/lib/slots";
import { Button, EmptyState, ErrorBox, Skeleton } from "@/ui";
import { useBookDeletion } from "../deletion";
import { Problem } from "../Problem";
import { useHidden } from "../state";
import { useUploads } from "../uploads";
import { LibraryGrid } from "./LibraryGrid";
import { SearchField } from "./SearchField";
import { Uploads } from "./Uploads";
import { useIncoming, type Incoming } from "./useIncoming";

const fewBooks = 12; // are seen at once, and need no search

/** All books; files that are dropped become new ones. */
export function Library() {
  const { t } = useTranslation("books");
  const incoming = useIncoming();
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
      <Uploads />
      <Books incoming={incoming} />
    </>
  );
}

function Books({ incoming }: { incoming: Incoming }) {
  const { t } = useTranslation("books");
  const [search, setSearch] = useState("");
  const { items, error, isLoading, refetch, hasMore, isLoadingMore, loadMore } = useBooks();
  const hidden = useHidden();
  const remove = useBookDeletion();
  const hasUploads = useUploads().length > 0;
  const books = items.filter(({ id }) => !hidden.has(id));
  const wanted = fold(search.trim());
  const shown = books.filter(({ title, author }) => fold(`${title} ${author}`).includes(wanted));
  useEffect(() => {
    if (hasMore && !isLoadingMore) void loadMore(); // the search is in all of them
  }, [hasMore, isLoadingMore, loadMore]);
  if (isLoading)
    return (
      <div className="bk-library" aria-hidden>
        {[1, 2, 3, 4].map((n) => (
          <Skeleton key={n} className="aspect-[2/3]" />
        ))}
      </div>
    );
  return (
    <>
      {error ? (
        <div className="p-4">
          <ErrorBox
            error={error}
            action={
              <Button size="small" onClick={() => void refetch()}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
      {books.length > fewBooks ? <SearchField value={search} count={shown.length} onChange={setSearch} /> : null}
      {shown.length > 0 ? (
        <LibraryGrid books={shown} onRemove={remove} />
      ) : books.length > 0 ? (
        <EmptyState
          icon={<SearchX size={24} aria-hidden />}
          title={t("noMatches")}
          action={<Button onClick={() => setSearch("")}>{t("showAll")}</Button>}
        />
      ) : error || hasUploads ? null : (
        <div className="bk-drop">
          <EmptyState
            icon={<BookOpen size={28} aria-hidden />}
            title={t("empty")}
            action={<Button onClick={incoming.choose}>{t("chooseFiles")}</Button>}
          >
            {t("emptyHint")}
          </EmptyState>
        </div>
      )}
    </>
  );
}
