import { ArrowLeft, BookOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useBook } from "@/api/books";
import type { Generation } from "@/api/types";
import { href } from "@/lib/router";

/** Which chapter of which book the open text is, with the way back; nothing for a text that stands for itself. */
export function BookNote({ generation }: { generation: Generation | undefined }) {
  const id = generation?.request?.book_id;
  return generation && id ? <Chapter generation={generation.id} book={id} /> : null;
}

function Chapter({ generation, book: id }: { generation: string; book: string }) {
  const { t } = useTranslation("studio");
  const book = useBook(id).data;
  const chapter = book?.chapters.find(({ generations }) => generations.includes(generation));
  if (!book || !chapter) return null;
  const { generations } = chapter;
  const words =
    generations.length > 1
      ? t("book.part", {
          title: chapter.title,
          book: book.title,
          part: generations.indexOf(generation) + 1,
          total: generations.length,
        })
      : t("book.chapter", { title: chapter.title, book: book.title });
  return (
    <div className="st-note">
      <BookOpen size={16} aria-hidden />
      <p className="min-w-0 flex-1" dir="auto">
        {words} <span className="text-ink-2">{t("book.hint")}</span>
      </p>
      <a className="k-btn flex-none hover:no-underline" data-size="small" href={href("books", [id])}>
        <ArrowLeft size={14} className="rtl:rotate-180" aria-hidden />
        {t("book.back")}
      </a>
    </div>
  );
}
