import { AudioLines } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useBookQuote, usePatchBook } from "@/api/books";
import { useLiveGeneration } from "@/api/live";
import { useProfile } from "@/api/profiles";
import type { Book, Profile } from "@/api/types";
import { TextPrice } from "@/features/hosted";
import { VoicePicker } from "@/features/picker";
import { useFormat } from "@/i18n/format";
import { useCommands } from "@/lib/commands";
import { ActionButton, ActionProgress } from "@/ui";
import { guarded } from "../state";
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

/** The price of what is still to be generated, where it is spoken by a hosted voice. */
function Price({ book }: { book: Book }) {
  const isHosted = useProfile(book.options.profile_id).data?.voice_type === "hosted";
  const quote = useBookQuote(book, isHosted).data;
  return quote ? <TextPrice quote={quote} /> : null;
}

/** The primary action of a book: generates what has no audio yet, shows the progress and stops it. Nothing once all is done. */
export function GenerateBook({ book }: { book: Book }) {
  const { t } = useTranslation("audiobook");
  const { start, stop, isStarting, isStopping, dialog } = useGenerating(book.id);
  const { mutateAsync: patch } = usePatchBook(book.id);
  const [isPicking, setPicking] = useState(false);
  const missing = toGenerate(book);
  const hasVoice = missing.every(({ options }) => options.profile_id ?? book.options.profile_id);
  const generate = () => (hasVoice ? void start() : setPicking(true));
  const choose = ({ id }: Profile) =>
    guarded(async () => {
      await patch({ options: { ...book.options, profile_id: id } });
      await start();
    });
  const isFirst = book.state === "new";
  const title = isFirst ? t("generate") : t("generateCount", { count: missing.length });
  const isRunning = book.generating;
  const canStart = missing.length > 0 && !isRunning;
  useCommands([
    ...(canStart ? [{ id: "books:generate", title, shortcut, run: generate }] : []),
    ...(isRunning ? [{ id: "books:stop", title: t("stopNamed", { title: book.title }), run: () => void stop() }] : []),
  ]);
  if (missing.length === 0 && !isRunning) return null;
  return (
    <>
      {isRunning ? null : <Price book={book} />}
      <ActionButton
        icon={<AudioLines size={16} aria-hidden />}
        shortcut={isRunning ? undefined : shortcut}
        progress={isRunning ? <Progress book={book} isStopping={isStopping} /> : null}
        busy={isStarting}
        onStop={() => void stop()}
        onClick={generate}
      >
        {title}
      </ActionButton>
      <VoicePicker open={isPicking} onClose={() => setPicking(false)} onChoose={(profile) => void choose(profile)} />
      {dialog}
    </>
  );
}
