import type { TFunction } from "i18next";
import { ArrowDown, ArrowUp, Eye, EyeOff, Merge, Pencil, SlidersHorizontal, Split } from "lucide-react";
import { createElement as h } from "react";
import type { BookChapter } from "@/api/types";
import type { MenuGroups } from "@/ui";

const icon = (kind: typeof Pencil) => h(kind, { size: 16, "aria-hidden": true });

/** What can be done with a chapter, by its menu and by keys. */
export interface ChapterEdits {
  rename(): void;
  split(): void;
  merge(): void;
  toggleSkipped(): void;
  /** Moves it by one place. */
  move(by: -1 | 1): void;
  options(): void;
}

interface Place {
  isFirst: boolean;
  isLast: boolean;
}

export function chapterMenu(
  t: TFunction<"books">,
  chapter: BookChapter,
  edits: ChapterEdits,
  { isFirst, isLast }: Place,
): MenuGroups {
  return [
    [
      { label: t("books:menu.rename"), icon: icon(Pencil), shortcut: "f2", onSelect: () => edits.rename() },
      { label: t("books:menu.split"), icon: icon(Split), shortcut: "enter", onSelect: () => edits.split() },
      {
        label: t("books:menu.merge"),
        icon: icon(Merge),
        shortcut: "m",
        disabled: isLast,
        onSelect: () => edits.merge(),
      },
      {
        label: t(chapter.skipped ? "books:menu.include" : "books:menu.skip"),
        icon: icon(chapter.skipped ? Eye : EyeOff),
        shortcut: "delete",
        onSelect: () => edits.toggleSkipped(),
      },
    ],
    [
      {
        label: t("books:menu.moveUp"),
        icon: icon(ArrowUp),
        shortcut: "alt+arrowup",
        disabled: isFirst,
        onSelect: () => edits.move(-1),
      },
      {
        label: t("books:menu.moveDown"),
        icon: icon(ArrowDown),
        shortcut: "alt+arrowdown",
        disabled: isLast,
        onSelect: () => edits.move(1),
      },
    ],
    [{ label: t("books:menu.options"), icon: icon(SlidersHorizontal), onSelect: () => edits.options() }],
  ];
}
