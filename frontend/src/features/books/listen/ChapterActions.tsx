import { RotateCcw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLiveGeneration } from "@/api/live";
import type { BookChapter } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { cx, IconButton, type MenuItem } from "@/ui";
import { EditChapter } from "../edit/EditChapter";
import { isSpoken } from "./chapters";

interface Props {
  chapter: BookChapter;
  /** What its menu offers too. */
  generate(): void;
  edits: readonly MenuItem[];
  /** That of the row, one of whose controls is a tab stop. */
  tabIndex: number;
  onFocus(): void;
}

/** How far the audio of a chapter is: its length, its progress or its state. */
function ChapterAudio({ chapter }: { chapter: BookChapter }) {
  const { t } = useTranslation("audiobook");
  const format = useFormat();
  const { state, wanted, generations, progress } = chapter;
  const live = useLiveGeneration(wanted ? generations.at(-1) : undefined);
  const isRunning = wanted && state !== "done";
  const part = Math.max(progress, generations.length === 1 ? (live?.progress ?? 0) : 0);
  const text = isRunning
    ? live || progress > 0
      ? format.percent(part)
      : t("waits")
    : state === "done"
      ? format.length(chapter.seconds)
      : t(`states.${state}`);
  return (
    <span
      className={cx(
        "flex w-28 flex-none items-center justify-end gap-1 text-end text-12 whitespace-nowrap tabular-nums",
        state === "failed" && !isRunning
          ? "text-danger"
          : state === "changed" && !isRunning
            ? "text-warn"
            : "text-ink-2",
      )}
    >
      {state === "failed" && !isRunning ? <TriangleAlert size={14} aria-hidden /> : null}
      {text}
    </span>
  );
}

/** How far the audio of a chapter is, and the buttons that generate and edit it. */
export function ChapterActions({ chapter, generate, edits, tabIndex, onFocus }: Props) {
  const { t } = useTranslation("audiobook");
  if (!isSpoken(chapter)) return <span className="w-44 flex-none" />;
  const isRunning = chapter.wanted && chapter.state !== "done";
  return (
    <>
      <ChapterAudio chapter={chapter} />
      <IconButton
        label={t(chapter.state === "new" ? "generateOf" : "regenerateOf", { title: chapter.title })}
        className={cx("k-later", isRunning ? "invisible" : "")}
        icon={<RotateCcw size={16} />}
        tabIndex={tabIndex}
        onFocus={onFocus}
        onClick={generate}
      />
      <EditChapter chapter={chapter} edits={edits} tabIndex={tabIndex} onFocus={onFocus} />
    </>
  );
}
