import { AudioLines } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useGenerateBook, useStopBook } from "@/api/books";
import type { Book } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useShortcut } from "@/lib/commands";
import { TopEnd } from "@/lib/slots";
import { ActionButton, ActionProgress } from "@/ui";
import { Cover } from "./Cover";
import { guarded } from "./state";

/** What a book is, how far it is, and the button that generates it. */
export function BookHeader({ book }: { book: Book }) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const { mutateAsync: generate } = useGenerateBook(book.id);
  const { mutateAsync: stop } = useStopBook(book.id);
  const start = () => void guarded(() => generate({}));
  useShortcut("mod+enter", t("generate"), start);
  const facts = [
    t("chapters", { count: book.chapters.filter(({ skipped }) => !skipped).length }),
    t("words", { count: book.words.kept }),
    t("length", { time: format.length(book.length_seconds) }),
  ];
  return (
    <header className="bk-head">
      <TopEnd>
        <ActionButton
          icon={<AudioLines size={16} aria-hidden />}
          shortcut="mod+enter"
          progress={
            book.generating ? <ActionProgress text={format.percent(book.progress)} value={book.progress} /> : null
          }
          onStop={() => void guarded(() => stop())}
          onClick={start}
        >
          {t("generate")}
        </ActionButton>
      </TopEnd>
      <Cover book={book} width={48} />
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-17 font-semibold" dir="auto" lang={book.language || undefined}>
          {book.title}
        </h2>
        <p className="truncate text-12 text-ink-2">{[book.author, ...facts].filter(Boolean).join(" · ")}</p>
      </div>
    </header>
  );
}
