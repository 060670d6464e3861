import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Book } from "@/api/types";
import { VirtualList } from "@/ui";
import { ChapterRow } from "./ChapterRow";

const pageRows = 10; // rows of Page Up and Page Down

/** Rows outside the window do not exist before the list has scrolled to them. */
function focusRow(id: string, tries = 10): void {
  const row = document.querySelector<HTMLElement>(`[data-chapter="${CSS.escape(id)}"]`);
  if (row) row.focus();
  else if (tries > 0) requestAnimationFrame(() => focusRow(id, tries - 1));
}

/** The chapters of a book in their order. One row is a tab stop; the arrow keys move it. */
export function ChapterList({ book }: { book: Book }) {
  const { t } = useTranslation("books");
  const [wanted, setWanted] = useState("");
  const { chapters } = book;
  const active = chapters.find(({ id }) => id === wanted) ?? chapters[0];
  const at = active ? chapters.indexOf(active) : -1;

  function moveTo(index: number) {
    const chapter = chapters[Math.max(0, Math.min(chapters.length - 1, index))];
    if (!chapter) return;
    setWanted(chapter.id);
    focusRow(chapter.id);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof Element) || !event.target.matches("[data-chapter]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + pageRows),
      PageUp: () => moveTo(at - pageRows),
      Home: () => moveTo(0),
      End: () => moveTo(chapters.length - 1),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
  return (
    // The rows have the focus; this handles the keys that move between them.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <VirtualList
        items={chapters}
        keyOf={({ id }) => id}
        estimate={36}
        label={t("chapterList")}
        className="min-h-0 flex-1 pb-16"
        focusIndex={at}
        render={(chapter, index) => (
          <ChapterRow
            book={book}
            chapter={chapter}
            number={index + 1}
            isActive={chapter.id === active?.id}
            onActive={() => setWanted(chapter.id)}
          />
        )}
      />
    </div>
  );
}
