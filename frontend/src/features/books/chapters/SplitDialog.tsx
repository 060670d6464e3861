import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useBookChapter } from "@/api/books";
import type { Book, BookChapter } from "@/api/types";
import { Button, Dialog, ErrorBox, Skeleton, TextField, VirtualList } from "@/ui";
import { Paragraph } from "./Paragraph";
import type { Corrections } from "./useCorrections";

interface Props {
  book: Book;
  chapter: BookChapter;
  split: Corrections["split"];
  onClose(): void;
}

const pageRows = 8; // of Page Up and Page Down

/** Focuses a paragraph. One outside the window does not exist before the list has scrolled to it. */
function focusParagraph(at: number, tries = 10): void {
  const part = document.querySelector<HTMLElement>(`[data-block="${at}"]`);
  if (part) part.focus();
  else if (tries > 0) requestAnimationFrame(() => focusParagraph(at, tries - 1));
}

/** The text of a chapter, and the paragraph with which a new chapter is to begin. */
export function SplitDialog({ book, chapter, split, onClose }: Props) {
  const { t } = useTranslation("books");
  const { data, error } = useBookChapter(book.id, chapter.id);
  const [at, setAt] = useState(0); // the paragraph that has or had the focus; with the first nothing is split
  const [title, setTitle] = useState("");
  const blocks = data?.blocks ?? [];
  const count = blocks.length;
  const isLoaded = data !== undefined;
  const scrollTo = useRef<((index: number) => void) | null>(null);
  const first = blocks[at];
  const heading = first?.kind === "heading" ? (first.spans ?? []).map(({ text }) => text).join("") : "";
  useEffect(() => {
    if (isLoaded) focusParagraph(0);
  }, [isLoaded]);

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(count - 1, index));
    setAt(next);
    scrollTo.current?.(next);
    focusParagraph(next);
  }
  function submit() {
    if (at === 0) return;
    void split(chapter, at, title.trim());
    onClose();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof Element) || !event.target.matches("[data-block]")) return;
    const keys: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + pageRows),
      PageUp: () => moveTo(at - pageRows),
      Home: () => moveTo(0),
      End: () => moveTo(count - 1),
    };
    const run = event.key === "Enter" ? submit : keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={chapter.title}
      description={t("split.hint")}
      width={720}
      bare
      className="bk-split"
      footer={
        <>
          {at > 0 ? (
            <TextField
              className="min-w-0 flex-1"
              label={t("split.title")}
              hideLabel
              placeholder={heading || t("split.title")}
              value={title}
              maxLength={1000}
              onChange={setTitle}
              dir="auto"
            />
          ) : null}
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" unavailable={at === 0 ? t("split.choose") : null} onClick={submit}>
            {t("split.action")}
          </Button>
        </>
      }
    >
      <p className="px-5 pb-3 text-12 text-ink-2">{t(isLoaded && count < 2 ? "split.single" : "split.hint")}</p>
      {error ? (
        <div className="p-4">
          <ErrorBox error={error} />
        </div>
      ) : isLoaded ? (
        // The paragraphs have the focus; this handles the keys that move between them.
        // eslint-disable-next-line jsx-a11y/no-static-element-interactions
        <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
          <VirtualList
            items={blocks.map((block, n) => ({ block, n }))}
            keyOf={({ n }) => String(n)}
            estimate={64}
            label={t("split.text")}
            className="min-h-0 flex-1"
            scrollTo={scrollTo}
            render={({ block, n }) => (
              <Paragraph block={block} at={n} isChosen={n === at} book={book} onChoose={() => setAt(n)} />
            )}
          />
        </div>
      ) : (
        <div className="grid gap-3 p-4">
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} className="h-12" />
          ))}
        </div>
      )}
    </Dialog>
  );
}
