import { PenLine } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { BookChapter } from "@/api/types";
import { IconButton, Menu, type MenuItem } from "@/ui";

interface Props {
  chapter: BookChapter;
  /** Its audio in the Studio, each part by itself, and its text. */
  edits: readonly MenuItem[];
  tabIndex: number;
  onFocus(): void;
}

/** Opens a chapter to be edited: at once where there is one way, else a menu. */
export function EditChapter({ chapter, edits, tabIndex, onFocus }: Props) {
  const { t } = useTranslation("audiobook");
  const label = t("editOf", { title: chapter.title });
  const button = { label, icon: <PenLine size={16} />, className: "k-later", tabIndex, onFocus };
  const [only, ...others] = edits;
  if (others.length === 0) return <IconButton {...button} onClick={only?.onSelect} />;
  return (
    <Menu groups={[edits]}>
      <IconButton {...button} />
    </Menu>
  );
}
