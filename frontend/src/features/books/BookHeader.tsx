import { FileUp, Info, MoreHorizontal, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Book } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { runCommand, useCommands } from "@/lib/commands";
import { TopEnd } from "@/lib/slots";
import { IconButton, Menu } from "@/ui";
import { Cover } from "./Cover";
import { useBookDeletion } from "./deletion";
import { BookDetails } from "./details/BookDetails";
import { ExportBook } from "./export/ExportBook";
import { ContinueListening } from "./listen/ContinueListening";
import { GenerateBook } from "./listen/GenerateBook";
import { useGenerating } from "./listen/useGenerating";

/** What a book is, how far it is, and what can be done with it. */
export function BookHeader({ book }: { book: Book }) {
  const { t } = useTranslation(["books", "audiobook"]);
  const format = useFormat();
  const [isEditing, setEditing] = useState(false);
  const remove = useBookDeletion();
  const { start, dialog } = useGenerating(book.id);
  const details = () => setEditing(true);
  useCommands([{ id: "books:details", title: t("audiobook:details.open"), run: details }]);
  const facts = [
    t("chapters", { count: book.chapters.filter(({ skipped }) => !skipped).length }),
    t("words", { count: book.words.kept }),
    book.state === "done" ? format.length(book.seconds) : t("length", { time: format.length(book.length_seconds) }),
  ];
  const icon = (Icon: typeof Info) => <Icon size={16} aria-hidden />;
  return (
    <header className="bk-head">
      <TopEnd>
        <ExportBook book={book} />
        <GenerateBook book={book} />
      </TopEnd>
      <button type="button" className="bk-cover-button" aria-label={t("audiobook:details.open")} onClick={details}>
        <Cover book={book} width={48} />
      </button>
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-17 font-semibold" dir="auto" lang={book.language || undefined}>
          {book.title}
        </h2>
        <p className="truncate text-12 text-ink-2">{[book.author, ...facts].filter(Boolean).join(" · ")}</p>
      </div>
      <ContinueListening book={book} />
      <Menu
        groups={[
          [
            { label: t("audiobook:details.open"), icon: icon(Info), onSelect: details },
            {
              label: t("audiobook:regenerateAll"),
              icon: icon(RotateCcw),
              disabled: book.generating || book.state === "new",
              onSelect: () => void start(undefined, true),
            },
            { label: t("update.title"), icon: icon(FileUp), onSelect: () => runCommand("books:update") },
          ],
          [{ label: t("audiobook:deleteBook"), icon: icon(Trash2), danger: true, onSelect: () => remove(book) }],
        ]}
      >
        <IconButton label={t("common:more")} icon={<MoreHorizontal size={16} />} size="normal" />
      </Menu>
      {dialog}
      <BookDetails book={book} open={isEditing} onClose={() => setEditing(false)} />
    </header>
  );
}
