import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useBookCheck } from "@/api/books";
import type { Book, Suspect } from "@/api/types";
import { Button, Chip, ErrorBox, Fold, Skeleton, TextField } from "@/ui";
import type { Corrections } from "../chapters/useCorrections";

interface Props {
  book: Book;
  corrections: Corrections;
}

const shownFirst = 20;

/** A word, and the field that says how it is spoken. */
function SuspectRow({ suspect, book, corrections }: Props & { suspect: Suspect }) {
  const { t } = useTranslation("books");
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const { word, count, sample } = suspect;
  function submit(event: FormEvent) {
    event.preventDefault();
    const pronunciations = { ...book.options.pronunciations, [word]: text.trim() };
    setOpen(false);
    void corrections.setOptions({ ...book.options, pronunciations }, t("change.say", { word, text: text.trim() }));
  }
  return (
    <li className="grid gap-1">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium" dir="auto" lang={book.language || undefined}>
          {word}
        </span>
        <span className="flex-none text-12 text-ink-3">{t("suspects.times", { count })}</span>
        {isOpen ? null : (
          <Button size="small" kind="quiet" aria-label={t("suspects.sayOf", { word })} onClick={() => setOpen(true)}>
            {t("suspects.say")}
          </Button>
        )}
      </div>
      <p className="line-clamp-2 text-12 break-words text-ink-3" dir="auto" lang={book.language || undefined}>
        {sample}
      </p>
      {isOpen ? (
        <form className="flex items-end gap-2" onSubmit={submit}>
          <TextField
            className="min-w-0 flex-1"
            label={t("suspects.sayOf", { word })}
            hideLabel
            placeholder={t("suspects.hint")}
            value={text}
            maxLength={200}
            autoFocus
            onChange={setText}
            onKeyDown={(event) => {
              event.stopPropagation(); // Ctrl+Z is that of the field
              if (event.key === "Escape") setOpen(false);
            }}
          />
          <Button type="submit" disabled={text.trim() === ""}>
            {t("common:save")}
          </Button>
        </form>
      ) : null}
    </li>
  );
}

function Suspects(props: Props) {
  const { t } = useTranslation("books");
  const { data, error } = useBookCheck(props.book.id);
  const [isAll, setAll] = useState(false);
  if (error) return <ErrorBox error={error} />;
  if (!data) return <Skeleton className="mt-3 h-16" />;
  if (data.length === 0) return <p className="mt-3 text-ink-2">{t("suspects.none")}</p>;
  const shown = isAll ? data : data.slice(0, shownFirst);
  return (
    <div className="mt-3 grid gap-3">
      <ul className="grid gap-3">
        {shown.map((suspect) => (
          <SuspectRow key={suspect.word} suspect={suspect} {...props} />
        ))}
      </ul>
      {shown.length < data.length ? (
        <Button size="small" className="justify-self-start" onClick={() => setAll(true)}>
          {t("suspects.all", { count: data.length })}
        </Button>
      ) : null}
    </div>
  );
}

/** The words of a book that may be spoken wrongly, and the pronunciations that were chosen. */
export function SuspectSection(props: Props) {
  const { t } = useTranslation("books");
  const { book, corrections } = props;
  const chosen = Object.entries(book.options.pronunciations ?? {});
  function remove(word: string) {
    const pronunciations = Object.fromEntries(chosen.filter(([other]) => other !== word));
    void corrections.setOptions({ ...book.options, pronunciations }, t("change.unsay", { word }));
  }
  return (
    <section aria-label={t("suspects.title")} className="grid gap-3">
      <h3 className="font-medium">{t("suspects.title")}</h3>
      {chosen.length > 0 ? (
        <ul className="flex flex-wrap gap-2">
          {chosen.map(([word, say]) => (
            <li key={word}>
              <Chip onRemove={() => remove(word)} removeLabel={t("suspects.remove", { word })}>
                <span dir="auto">{t("suspects.chosen", { word, say })}</span>
              </Chip>
            </li>
          ))}
        </ul>
      ) : null}
      <Fold title={t("suspects.find")}>
        <Suspects {...props} />
      </Fold>
    </section>
  );
}
