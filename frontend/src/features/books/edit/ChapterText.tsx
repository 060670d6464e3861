import { Undo2 } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useBookChapter, usePatchBookBlock, useUndoBook } from "@/api/books";
import type { Book, BookBlock, BookChapter } from "@/api/types";
import { Button, ErrorBox, Sheet, Skeleton, useToast, VirtualList } from "@/ui";
import { leftOutText, spokenText } from "./spoken";

interface Props {
  book: Book;
  chapter: BookChapter;
  onClose(): void;
}

/** The text of a chapter, whose paragraphs can be changed; each is saved when it is left. */
export function ChapterText(props: Props) {
  const { t } = useTranslation("audiobook");
  const { title } = props.chapter;
  const isTyping = useRef(false); // Esc drops what is typed then, and closes the sheet the next time
  return (
    <Sheet
      open
      onOpenChange={(open) => open || isTyping.current || props.onClose()}
      title={t("text.title", { title })}
      width={680}
      bare
    >
      <Paragraphs {...props} isTyping={isTyping} />
    </Sheet>
  );
}

/** Changes paragraphs, and undoes those changes, the last one first. */
function useEdits(book: Book, chapter: BookChapter) {
  const patch = usePatchBookBlock(book.id);
  const { mutate: undo, error: undoError, isPending } = useUndoBook(book.id);
  const { t } = useTranslation("audiobook");
  const toast = useToast();
  const [count, setCount] = useState(0); // changes of this sheet that can be undone
  return {
    error: patch.error ?? undoError,
    isSaving: patch.isPending || isPending,
    count,
    save: (block: number, text: string) =>
      patch.mutate({ chapter: chapter.id, block, text }, { onSuccess: () => setCount((n) => n + 1) }),
    undo: () =>
      undo(undefined, {
        onSuccess: () => {
          setCount((n) => n - 1);
          toast({ text: t("text.undone") });
        },
      }),
  };
}

function Paragraphs({ book, chapter, isTyping }: Props & { isTyping: RefObject<boolean> }) {
  const { t } = useTranslation("audiobook");
  const { data, error } = useBookChapter(book.id, chapter.id);
  const edits = useEdits(book, chapter);
  const read = chapter.options.read ?? book.options.read ?? [];
  const blocks = data?.blocks.map((block, n) => ({ block, n })) ?? [];
  const problem = error ?? edits.error;
  return (
    <>
      <div className="flex flex-none flex-wrap items-center gap-2 border-b border-line px-5 pb-3">
        <p className="min-w-40 flex-1 text-12 text-ink-2">{t("text.hint")}</p>
        <span className="text-12 text-ink-2" role="status">
          {edits.isSaving ? t("text.saving") : edits.count > 0 ? t("text.saved") : ""}
        </span>
        <Button
          size="small"
          icon={<Undo2 size={14} aria-hidden />}
          disabled={edits.count === 0 || edits.isSaving}
          onClick={edits.undo}
        >
          {t("text.undo")}
        </Button>
      </div>
      {problem ? (
        <div className="p-4">
          <ErrorBox error={problem} />
        </div>
      ) : null}
      {data ? null : <Skeleton className="m-5 h-24" />}
      <VirtualList
        items={blocks}
        keyOf={({ n }) => `${n}`}
        estimate={96}
        label={t("text.title", { title: chapter.title })}
        className="min-h-0 flex-1 py-3"
        render={({ block, n }) => (
          <Paragraph
            block={block}
            number={n + 1}
            read={read}
            lang={book.language}
            onType={(on) => void (isTyping.current = on)}
            onSave={(text) => edits.save(n, text)}
          />
        )}
      />
    </>
  );
}

interface ParagraphProps {
  block: BookBlock;
  /** From 1. */
  number: number;
  read: readonly string[];
  lang: string;
  onType(on: boolean): void;
  onSave(text: string): void;
}

function Paragraph({ block, number, read, lang, onType, onSave }: ParagraphProps) {
  const { t } = useTranslation("audiobook");
  const [typed, setTyped] = useState<string | null>(null);
  const spoken = spokenText(block, read);
  const text = typed ?? spoken;
  const content = { dir: "auto", lang: lang || undefined } as const;
  if (block.kind === "scene")
    return (
      <p className="px-5 py-2 text-center text-ink-3" aria-label={t("text.scene")}>
        * * *
      </p>
    );
  if (spoken === "" && typed === null)
    return (
      <p className="px-5 py-2 text-ink-3" {...content}>
        <span className="text-12">{t("text.leftOut")}:</span> {leftOutText(block, read)}
      </p>
    );
  function end() {
    onType(false);
    setTyped(null);
  }
  function leave() {
    const next = text.trim();
    if (typed !== null && next !== spoken) onSave(next);
    end();
  }
  const onKeyDown = (event: KeyboardEvent) => event.key === "Escape" && end();
  const label = block.kind === "heading" ? t("text.heading") : t("text.paragraph", { n: number });
  return (
    <div className="bk-paragraph" data-kind={block.kind}>
      <span aria-hidden>{`${text}\u200b`}</span>
      <textarea
        aria-label={label}
        value={text}
        rows={1}
        {...content}
        onChange={(event) => {
          onType(true);
          setTyped(event.target.value);
        }}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
