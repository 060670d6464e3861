import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePatchBook } from "@/api/books";
import { useModels } from "@/api/models";
import { useProfile } from "@/api/profiles";
import type { Book, BookChanges } from "@/api/types";
import { languageChoices, useFormat } from "@/i18n/format";
import { voiceName } from "@/i18n/voiceName";
import { ErrorBox, SavedField, Select, Sheet, TextArea } from "@/ui";
import { isIsbn, isYear } from "./checks";
import { CoverField } from "./CoverField";

interface Props {
  book: Book;
  open: boolean;
  onClose(): void;
}

/** The details and the cover of a book; each change is saved at once. */
export function BookDetails({ book, open, onClose }: Props) {
  const { t } = useTranslation("audiobook");
  return (
    <Sheet open={open} onOpenChange={(isOpen) => isOpen || onClose()} title={t("details.sheet")} width={400}>
      {open ? <Fields book={book} /> : null}
    </Sheet>
  );
}

type Field = Exclude<keyof BookChanges, "options" | "depth">;
interface Refused {
  value: string;
  why: string;
}

/** Fields that are saved when they are left; a refused text stays, and says why. */
function useFields(book: Book) {
  const { t } = useTranslation("audiobook");
  const { mutate, error } = usePatchBook(book.id);
  const [refused, setRefused] = useState<Partial<Record<Field, Refused | undefined>>>({});
  const save = (field: Field, value: string) => mutate({ [field]: value });
  const field = (name: Field, problemOf: (value: string) => string | undefined = () => undefined) => ({
    label: t(`details.${name}`),
    value: refused[name]?.value ?? book[name],
    error: refused[name]?.why,
    onSave: (value: string) => {
      const why = problemOf(value);
      setRefused((all) => ({ ...all, [name]: why ? { value, why } : undefined }));
      if (!why && value !== book[name]) save(name, value);
    },
  });
  return { field, save, error };
}

function Fields({ book }: { book: Book }) {
  const { t } = useTranslation("audiobook");
  const voice = useProfile(book.options.profile_id).data?.name;
  const { field, save, error } = useFields(book);
  const title = (value: string) => (value === "" ? t("details.titleMissing") : undefined);
  const year = (value: string) => (isYear(value) ? undefined : t("details.yearWrong"));
  const isbn = (value: string) => (isIsbn(value) ? undefined : t("details.isbnWrong"));
  const long = { dir: "auto", maxLength: 1000 } as const;
  return (
    <div className="grid gap-4">
      <CoverField book={book} />
      {error ? <ErrorBox error={error} /> : null}
      <SavedField {...field("title", title)} {...long} />
      <SavedField {...field("author")} {...long} />
      <SavedField
        {...field("narrator")}
        {...long}
        placeholder={voice ? voiceName(voice, t("common:builtInVoice")) : undefined}
      />
      <div className="grid grid-cols-[1fr_96px] gap-2">
        <SavedField {...field("series")} {...long} />
        <SavedField {...field("series_part")} {...long} />
      </div>
      <div className="grid grid-cols-[96px_1fr] gap-2">
        <SavedField {...field("year", year)} {...long} inputMode="numeric" />
        <Language book={book} onChange={(language) => save("language", language)} />
      </div>
      <SavedField {...field("genre")} {...long} />
      <SavedField {...field("publisher")} {...long} />
      <SavedField {...field("isbn", isbn)} {...long} />
      <Description book={book} onSave={(text) => save("description", text)} />
    </div>
  );
}

/** The languages that some model speaks, and that of the book. */
function Language({ book, onChange }: { book: Book; onChange(language: string): void }) {
  const { t } = useTranslation("audiobook");
  const format = useFormat();
  const spoken = (useModels().data ?? []).flatMap((model) => (model.family === "speech" ? model.languages : []));
  const known = languageChoices([book.language, "en", ...spoken].filter(Boolean), format.language, book.language);
  const choices = book.language === "" ? [{ value: "", label: t("details.languageUnknown") }, ...known] : known;
  return <Select label={t("details.language")} value={book.language} choices={choices} onChange={onChange} />;
}

function Description({ book, onSave }: { book: Book; onSave(text: string): void }) {
  const { t } = useTranslation("audiobook");
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextArea
      label={t("details.description")}
      value={typed ?? book.description}
      rows={6}
      maxLength={20_000}
      dir="auto"
      onChange={setTyped}
      onBlur={() => {
        if (typed !== null && typed.trim() !== book.description) onSave(typed.trim());
        setTyped(null);
      }}
    />
  );
}
