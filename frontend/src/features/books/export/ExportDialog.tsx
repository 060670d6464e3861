import { AudioLines, Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { bookFormats, longestBookFile, useBookExportSize } from "@/api/books";
import { useSystem } from "@/api/system";
import type { Book } from "@/api/types";
import { ProgramHelp } from "@/features/programs";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, Select } from "@/ui";
import { toGenerate } from "../listen/useGenerating";
import { bitrates, isLossy, requestOf, setBookChoice, useBookChoice, type BookChoice } from "./state";

interface Props {
  book: Book;
  onClose(): void;
  /** Generates the chapters that have no audio of their text. */
  onGenerate(): void;
  onExport(choice: BookChoice): void;
}

/** The format of an exported book, with its size and length beforehand. */
export function ExportDialog({ open, ...props }: Props & { open: boolean }) {
  const { t } = useTranslation("audiobook");
  return (
    <Dialog open={open} onOpenChange={(isOpen) => isOpen || props.onClose()} title={t("export.title")} width={420}>
      {open ? <Options {...props} /> : null}
    </Dialog>
  );
}

/** The formats that this machine can write: all until that is known, as the server refuses the others. */
function useCanWrite(): (format: string) => boolean {
  const encoders = useSystem().data?.encoders;
  return (format) => encoders?.includes(format === "m4b" ? "m4a" : format) ?? true;
}

/** The size of the file, the length of the book, and how long the export takes. */
function Size({ book, choice }: { book: Book; choice: BookChoice }) {
  const { t } = useTranslation("audiobook");
  const format = useFormat();
  const { data, error } = useBookExportSize(book.id, requestOf(choice));
  if (error) return <ErrorBox error={error} />;
  const text = data
    ? t("export.size", {
        size: format.bytes(data.bytes),
        length: format.length(book.length_seconds),
        time: format.duration(data.seconds),
      })
    : t("export.measuring");
  return (
    <p className="text-ink-2 tabular-nums" role="status">
      {text}
    </p>
  );
}

/** Says which chapters have no audio of their text, and generates them. */
function Missing({ book, onGenerate }: Pick<Props, "book" | "onGenerate">) {
  const { t } = useTranslation("audiobook");
  const missing = toGenerate(book);
  const words =
    missing.length === 1
      ? t("export.missingOne", { title: missing[0]?.title })
      : t("export.missingMany", { count: missing.length });
  return (
    <div className="flex flex-wrap items-center gap-2" role="status">
      <p className="min-w-40 flex-1">{book.generating ? t("export.generating") : words}</p>
      {book.generating ? null : (
        <Button icon={<AudioLines size={14} aria-hidden />} onClick={onGenerate}>
          {t("generateCount", { count: missing.length })}
        </Button>
      )}
    </div>
  );
}

function Options({ book, onGenerate, onExport }: Omit<Props, "onClose">) {
  const { t } = useTranslation("audiobook");
  const number = useFormat().number;
  const initial = useBookChoice();
  const [choice, setChoice] = useState(initial);
  const canWrite = useCanWrite();
  const isMissing = toGenerate(book).length > 0;
  const isLong = book.length_seconds > longestBookFile;
  const isReady = canWrite(choice.format) && !isMissing;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        setBookChoice(choice);
        onExport(choice);
      }}
    >
      <Select
        label={t("common:export.format")}
        value={choice.format}
        choices={bookFormats.map((format) => ({ value: format, label: t(`export.formats.${format}`) }))}
        hint={t(choice.format !== "m4b" ? "export.zipHint" : isLong ? "export.partsHint" : "export.m4bHint")}
        onChange={(format) => setChoice({ ...choice, format })}
      />
      {canWrite(choice.format) ? null : <ProgramHelp name="ffmpeg" />}
      {isLossy(choice) ? (
        <Select
          label={t("common:export.bitrate")}
          value={String(choice.bitrate)}
          choices={bitrates.map((rate) => ({
            value: String(rate),
            label: rate === 0 ? t("common:export.usualQuality") : t("common:export.kbits", { rate: number(rate) }),
          }))}
          onChange={(rate) => setChoice({ ...choice, bitrate: bitrates.find((one) => String(one) === rate) ?? 0 })}
        />
      ) : null}
      {isMissing ? <Missing book={book} onGenerate={onGenerate} /> : <Size book={book} choice={choice} />}
      <Button
        type="submit"
        kind="primary"
        className="justify-self-end"
        disabled={!isReady}
        autoFocus={isReady}
        icon={<Download size={16} aria-hidden />}
      >
        {t("common:export.as", { format: choice.format.toUpperCase() })}
      </Button>
    </form>
  );
}
