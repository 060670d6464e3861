import { PenLine, RotateCcw, TextCursorInput } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Book, BookChapter } from "@/api/types";
import { href, navigate } from "@/lib/router";
import type { MenuItem } from "@/ui";
import { ChapterText } from "../edit/ChapterText";
import { isSpoken } from "./chapters";
import { useGenerating } from "./useGenerating";

const icon = (Icon: typeof PenLine) => <Icon size={16} aria-hidden />;

interface ChapterItems {
  generate(): void;
  /** Its audio in the Studio, each part by itself, and its text. */
  edits: MenuItem[];
  /** All, for the menu of the row. */
  items: MenuItem[];
  dialogs: ReactNode;
}

/** What the buttons of a chapter do, for its menu, and the dialogs that they open. */
export function useChapterItems(book: Book, chapter: BookChapter): ChapterItems {
  const { t } = useTranslation("audiobook");
  const { start, dialog } = useGenerating(book.id);
  const [isOpen, setOpen] = useState(false);
  const { id, state, wanted } = chapter;
  const isDone = state === "done";
  const parts = state === "new" ? [] : chapter.generations;
  const studio = parts.map((part, i): MenuItem => ({
    label: parts.length === 1 ? t("openStudio") : t("openPart", { n: i + 1 }),
    icon: icon(PenLine),
    onSelect: () => navigate(href("studio", [], { from: part })),
  }));
  const edits = [...studio, { label: t("editText"), icon: icon(TextCursorInput), onSelect: () => setOpen(true) }];
  const generate = () => void start([id], isDone);
  const generateItem: MenuItem = {
    label: t(state === "new" ? "generate" : "regenerate"),
    icon: icon(RotateCcw),
    disabled: wanted && !isDone,
    onSelect: generate,
  };
  const dialogs = (
    <>
      {dialog}
      {isOpen ? <ChapterText book={book} chapter={chapter} onClose={() => setOpen(false)} /> : null}
    </>
  );
  return { generate, edits, items: isSpoken(chapter) ? [generateItem, ...edits] : edits, dialogs };
}
