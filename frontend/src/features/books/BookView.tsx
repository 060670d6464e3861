import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useBook } from "@/api/books";
import type { Book } from "@/api/types";
import { useDocumentTitle } from "@/lib/documentTitle";
import { href, navigate } from "@/lib/router";
import { Inspector, TopStart } from "@/lib/slots";
import { Button, ErrorBox, IconButton, Skeleton } from "@/ui";
import { BookHeader } from "./BookHeader";
import { ChapterList } from "./chapters/ChapterList";
import { useCorrections } from "./chapters/useCorrections";
import { BookFailures } from "./listen/BookFailures";
import { Problem } from "./Problem";
import { ArrivalNote } from "./text/ArrivalNote";
import { SuspectSection } from "./text/SuspectSection";
import { TextSection } from "./text/TextSection";
import { UpdateFromFile } from "./text/UpdateFromFile";
import { VoiceSection } from "./voice/VoiceSection";

/** One book: loads it, and says so when it does not exist. */
export function BookView({ id }: { id: string }) {
  const { t } = useTranslation("books");
  const { data, error, refetch } = useBook(id);
  const isMissing = error?.status === 404;
  return (
    <>
      <TopStart>
        <IconButton
          label={t("allBooks")}
          icon={<ArrowLeft size={16} className="rtl:rotate-180" />}
          onClick={() => navigate(href("books"))}
        />
      </TopStart>
      {data && !isMissing ? (
        <Loaded book={data} />
      ) : error ? (
        <div className="p-4">
          <ErrorBox
            error={error}
            action={
              <Button size="small" onClick={() => (isMissing ? navigate(href("books")) : void refetch())}>
                {isMissing ? t("allBooks") : t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : (
        <div className="grid gap-3 p-4">
          {[1, 2, 3, 4].map((n) => (
            <Skeleton key={n} className="h-6" />
          ))}
        </div>
      )}
    </>
  );
}

function Loaded({ book }: { book: Book }) {
  const { t } = useTranslation("books");
  const corrections = useCorrections(book);
  useDocumentTitle(book.title);
  return (
    <>
      <Problem />
      <ArrivalNote id={book.id} />
      <UpdateFromFile book={book} />
      <BookHeader book={book} />
      <BookFailures book={book} />
      <ChapterList book={book} corrections={corrections} />
      <Inspector title={t("common:details")}>
        <VoiceSection book={book} corrections={corrections} />
        <TextSection book={book} corrections={corrections} />
        <SuspectSection book={book} corrections={corrections} />
      </Inspector>
    </>
  );
}
