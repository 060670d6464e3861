import { AudioLines } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLiveGeneration } from "@/api/live";
import type { Book } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useCommands } from "@/lib/commands";
import { ActionButton, ActionProgress } from "@/ui";
import { currentChapter, toGenerate, useGenerating } from "./useGenerating";

const shortcut = "mod+enter";

/** Returns the stage of a book that is generated: its chapter, how far that is, and the time left. */
export function useStage(book: Book): string {
  const { t } = useTranslation("audiobook");
  const format = useFormat();
  const current = currentChapter(book);
  const live = useLiveGeneration(current?.chapter.generations.at(-1));
  const left = book.eta_seconds ? t("stage.left", { time: format.duration(Math.ceil(book.eta_seconds)) }) : "";
  const isLoading = live?.status === "loading_model" || live?.status === "downloading_model";
  const stage = !current
    ? t("stage.starting")
    : isLoading
      ? t(`common:status.${live.status}`)
      : t("stage.chapter", { number: current.number, total: book.chapters.length });
  return [stage, left].filter(Boolean).join(" · ");
}

function Progress({ book, isStopping }: { book: Book; isStopping: boolean }) {
  const { t } = useTranslation("audiobook");
  const stage = useStage(book);
  return <ActionProgress text={isStopping ? t("stage.stopping") : stage} value={book.progress} />;
}

/** The primary action of a book: generates what has no audio yet, shows the progress and stops it. Nothing once all is done. */
export function GenerateBook({ book }: { book: Book }) {
  const { t } = useTranslation("audiobook");
  const { start, stop, isStarting, isStopping } = useGenerating(book.id);
  const missing = toGenerate(book);
  const isFirst = book.state === "new";
  const title = isFirst ? t("generate") : t("generateCount", { count: missing.length });
  const isRunning = book.generating;
  const canStart = missing.length > 0 && !isRunning;
  useCommands([
    ...(canStart ? [{ id: "books:generate", title, shortcut, run: () => void start() }] : []),
    ...(isRunning ? [{ id: "books:stop", title: t("stopNamed", { title: book.title }), run: () => void stop() }] : []),
  ]);
  if (missing.length === 0 && !isRunning) return null;
  return (
    <ActionButton
      icon={<AudioLines size={16} aria-hidden />}
      shortcut={isRunning ? undefined : shortcut}
      progress={isRunning ? <Progress book={book} isStopping={isStopping} /> : null}
      busy={isStarting}
      onStop={() => void stop()}
      onClick={() => void start()}
    >
      {title}
    </ActionButton>
  );
}
