import { useTranslation } from "react-i18next";
import type { Book, BookLeftOut } from "@/api/types";
import { Switch } from "@/ui";
import type { Corrections } from "../chapters/useCorrections";
import { classNameOf } from "./classes";

interface Props {
  book: Book;
  corrections: Corrections;
}

function ClassRow({ part, isRead, book, corrections }: Props & { part: BookLeftOut; isRead: boolean }) {
  const { t } = useTranslation("books");
  const name = t(`classes.${classNameOf(part.class)}`);
  function change(on: boolean) {
    const others = (book.options.read ?? []).filter((one) => one !== part.switch);
    const read = on ? [...others, part.switch] : others;
    void corrections.setOptions({ ...book.options, read }, t(on ? "change.read" : "change.leaveOut", { name }));
  }
  return (
    <li className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <p>
          {name} <span className="text-12 text-ink-3">{t("words", { count: part.words })}</span>
        </p>
        {part.sample ? (
          <p className="line-clamp-2 text-12 break-words text-ink-3" dir="auto" lang={book.language || undefined}>
            {part.sample}
          </p>
        ) : null}
      </div>
      {part.switch ? <Switch label={t("text.read", { name })} checked={isRead} onChange={change} /> : null}
    </li>
  );
}

function Classes({
  title,
  parts,
  isRead = false,
  ...props
}: Props & { title: string; parts: readonly BookLeftOut[]; isRead?: boolean }) {
  return (
    <div>
      <h4 className="mb-2 text-12 font-medium text-ink-2">{title}</h4>
      <ul className="grid gap-3">
        {parts.map((part) => (
          <ClassRow key={part.class} part={part} isRead={isRead} {...props} />
        ))}
      </ul>
    </div>
  );
}

/** Every word of the file: how many are read aloud, and which are left out, each class with a switch. */
export function TextSection(props: Props) {
  const { t } = useTranslation("books");
  const { book } = props;
  const { body, kept, left_out: leftOut, read } = book.words;
  return (
    <section aria-label={t("text.title")} className="grid gap-3">
      <h3 className="font-medium">{t("text.title")}</h3>
      <p className="text-ink-2">
        {body === kept ? t("text.all", { count: body }) : t("text.sum", { body, kept, out: body - kept })}
      </p>
      {leftOut.length > 0 ? <Classes title={t("text.leftOut")} parts={leftOut} {...props} /> : null}
      {read.length > 0 ? <Classes title={t("text.readToo")} parts={read} isRead {...props} /> : null}
    </section>
  );
}
