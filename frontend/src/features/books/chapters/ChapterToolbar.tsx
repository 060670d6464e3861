import { Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Book } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useCommands } from "@/lib/commands";
import { useInspector } from "@/lib/slots";
import { Button, Select } from "@/ui";
import type { Corrections } from "./useCorrections";

/** What was found in the file, from which level of its contents chapters are made, and Undo. */
export function ChapterToolbar({ book, corrections }: { book: Book; corrections: Corrections }) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const { undo, undoText } = corrections;
  const skipped = book.chapters.filter((chapter) => chapter.skipped).length;
  const { depths, depth, undos } = book;
  const { isOpen, setOpen } = useInspector();
  const leftOut = book.words.body - book.words.kept;
  useCommands([{ id: "books:undo", title: undoText, shortcut: "mod+z", run: undo, hidden: undos === 0 }]);
  return (
    <div className="bk-bar">
      <h3 className="font-medium">{t("chapters", { count: book.chapters.length })}</h3>
      {skipped > 0 ? <span className="text-12 text-ink-3">{t("skippedCount", { count: skipped })}</span> : null}
      {leftOut > 0 ? (
        <Button kind="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("text.leftOutCount", { count: leftOut })}
        </Button>
      ) : null}
      <span className="flex-1" />
      {depths.length > 1 ? (
        <Select
          label={t("depth.label")}
          hideLabel
          quiet
          value={String(depth)}
          choices={depths.map((count, i) => ({
            value: String(i + 1),
            label: t("depth.level", { level: i + 1, count, number: format.number(count) }),
          }))}
          onChange={(value) => void corrections.setDepth(Number(value))}
        />
      ) : null}
      {undos > 0 ? (
        <Button
          kind="quiet"
          size="small"
          icon={<Undo2 size={16} aria-hidden />}
          shortcut="mod+z"
          hint={undoText}
          onClick={undo}
        >
          {t("common:undo")}
        </Button>
      ) : null}
    </div>
  );
}
