import { PenLine, TextCursorInput } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Book, BookChapter } from "@/api/types";
import { href, navigate } from "@/lib/router";
import { IconButton, Menu, type MenuItem } from "@/ui";
import { ChapterText } from "./ChapterText";

interface Props {
  book: Book;
  chapter: BookChapter;
  tabIndex: number;
  onFocus(): void;
}

/** Opens the audio of a chapter in the Studio, each part by itself, or its text. */
export function EditChapter({ book, chapter, tabIndex, onFocus }: Props) {
  const { t } = useTranslation("audiobook");
  const [isOpen, setOpen] = useState(false);
  const parts = chapter.state === "new" ? [] : chapter.generations;
  const studio = parts.map((id, i): MenuItem => ({
    label: parts.length === 1 ? t("openStudio") : t("openPart", { n: i + 1 }),
    icon: <PenLine size={16} aria-hidden />,
    onSelect: () => navigate(href("studio", [], { from: id })),
  }));
  const text: MenuItem = {
    label: t("editText"),
    icon: <TextCursorInput size={16} aria-hidden />,
    onSelect: () => setOpen(true),
  };
  const label = t("editOf", { title: chapter.title });
  const button = { label, icon: <PenLine size={16} />, className: "k-later", tabIndex, onFocus };
  return (
    <>
      {studio.length === 0 ? (
        <IconButton {...button} onClick={text.onSelect} />
      ) : (
        <Menu groups={[studio, [text]]}>
          <IconButton {...button} />
        </Menu>
      )}
      {isOpen ? <ChapterText book={book} chapter={chapter} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
