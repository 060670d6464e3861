import { Pause, Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Book, BookChapter } from "@/api/types";
import { player, usePlayer } from "@/player";
import { IconButton } from "@/ui";
import { guarded } from "../state";
import { isSpoken } from "./chapters";
import { listen, useChapterState } from "./listening";

interface Props {
  book: Book;
  chapter: BookChapter;
  tabIndex: number;
  onFocus(): void;
}

/** Plays a chapter and those after it, or pauses. An empty place where there is nothing to hear. */
export function ChapterPlay({ book, chapter, tabIndex, onFocus }: Props) {
  const { t } = useTranslation("audiobook");
  const isHeard = useChapterState(chapter.id) !== "other";
  const { playing } = usePlayer();
  if (!isSpoken(chapter) || chapter.generations.length === 0) return <span className="w-7 flex-none" />;
  const isPlaying = isHeard && playing;
  const Icon = isPlaying ? Pause : Play;
  const play = () =>
    isHeard ? player.toggle() : void guarded(() => listen(book.id, { chapter_id: chapter.id, seconds: 0 }));
  return (
    <IconButton
      label={t(isPlaying ? "pauseOf" : "playOf", { title: chapter.title })}
      icon={<Icon size={14} fill="currentColor" />}
      className={isHeard ? "text-accent" : ""}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onClick={play}
    />
  );
}
