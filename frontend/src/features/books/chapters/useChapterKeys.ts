import { useState, type KeyboardEvent } from "react";
import type { BookChapter } from "@/api/types";
import type { ChapterEdits } from "./chapterMenu";
import { focusChapter } from "./focus";

const pageRows = 10; // rows of Page Up and Page Down

interface Options {
  chapters: readonly BookChapter[];
  editsOf(chapter: BookChapter, at: number): ChapterEdits;
}

/** Which row of the chapters is the tab stop, and what the keys do on it. */
export function useChapterKeys({ chapters, editsOf }: Options) {
  const [wanted, setWanted] = useState("");
  const [menu, setMenu] = useState<string | null>(null);
  const [place, setPlace] = useState(0); // of the active row, for the time when its chapter is gone
  const found = chapters.findIndex(({ id }) => id === wanted);
  const at = found >= 0 ? found : Math.min(place, chapters.length - 1);
  const active = chapters[at];

  function setActive(id: string) {
    setPlace(chapters.findIndex((chapter) => chapter.id === id));
    setWanted(id);
  }
  function moveTo(index: number) {
    const chapter = chapters[Math.max(0, Math.min(chapters.length - 1, index))];
    if (!chapter) return;
    setActive(chapter.id);
    focusChapter(chapter.id);
  }
  function keysOf(event: KeyboardEvent, chapter: BookChapter): Record<string, () => void> {
    const edits = editsOf(chapter, at);
    if (event.ctrlKey || event.metaKey) return {};
    if (event.altKey) return { ArrowUp: () => edits.move(-1), ArrowDown: () => edits.move(1) };
    return {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + pageRows),
      PageUp: () => moveTo(at - pageRows),
      Home: () => moveTo(0),
      End: () => moveTo(chapters.length - 1),
      F2: edits.rename,
      Delete: edits.toggleSkipped,
      m: edits.merge,
      ContextMenu: () => setMenu(chapter.id),
      ...(event.shiftKey ? { F10: () => setMenu(chapter.id) } : {}),
    };
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof Element) || !event.target.matches("[data-chapter]") || !active) return;
    const run = keysOf(event, active)[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
  return { at, active, menu, setMenu, setActive, onKeyDown };
}
