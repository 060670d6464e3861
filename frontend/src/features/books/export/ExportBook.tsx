import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exportBook } from "@/api/books";
import { cancelExport, useRunningExports } from "@/api/exports";
import { fileName } from "@/api/save";
import type { Book } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useCommands } from "@/lib/commands";
import { ActionButton, ActionProgress, Button } from "@/ui";
import { toGenerate, useGenerating } from "../listen/useGenerating";
import { guarded } from "../state";
import { ExportDialog } from "./ExportDialog";
import { requestOf, type BookChoice } from "./state";

/** Exports a book: its dialog, then the progress with a way to stop. It is the primary action once all is generated. */
export function ExportBook({ book }: { book: Book }) {
  const { t } = useTranslation("audiobook");
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const name = fileName({ title: book.title, text: "" }, t("common:export.file"));
  const running = useRunningExports().find((one) => one.bookId === book.id);
  const { start, dialog } = useGenerating(book.id);
  const open = () => setOpen(true);
  useCommands(running ? [] : [{ id: "books:export", title: t("export.title"), run: open }]);
  const save = (choice: BookChoice) => guarded(() => exportBook(book, name, requestOf(choice)));
  const isPrimary = toGenerate(book).length === 0 && !book.generating;
  const icon = <Download size={16} aria-hidden />;
  return (
    <>
      {isPrimary || running ? (
        <ActionButton
          icon={icon}
          progress={
            running ? (
              <ActionProgress
                text={`${t("common:jobs.exporting")} · ${format.percent(running.progress)}`}
                value={running.progress}
              />
            ) : null
          }
          onStop={() => running && cancelExport(running.id)}
          onClick={open}
        >
          {t("export.button")}
        </ActionButton>
      ) : (
        <Button icon={icon} onClick={open}>
          {t("export.button")}
        </Button>
      )}
      <ExportDialog
        book={book}
        open={isOpen}
        onClose={() => setOpen(false)}
        onGenerate={() => {
          setOpen(false);
          void start();
        }}
        onExport={(choice) => {
          setOpen(false);
          void save(choice);
        }}
      />
      {dialog}
    </>
  );
}
