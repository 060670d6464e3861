import { Headphones, Pause } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Book } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { player, usePlayer } from "@/player";
import { Button } from "@/ui";
import { guarded } from "../state";
import { placeToContinue } from "./chapters";
import { listen, useHeardBook, usePlace } from "./listening";

/** Plays the book where listening ended last, or pauses it. Nothing where it has no audio. */
export function ContinueListening({ book }: { book: Book }) {
  const { t } = useTranslation("audiobook");
  const format = useFormat();
  const known = usePlace(book);
  const isHeard = useHeardBook() === book.id;
  const { playing } = usePlayer();
  const place = placeToContinue(book, known);
  const chapter = book.chapters.find(({ id }) => id === place?.chapter_id);
  if (!place || !chapter) return null;
  const hasBegun = known !== undefined && (place.seconds > 0 || chapter.id !== book.chapters[0]?.id);
  const where = t("at", { chapter: chapter.title, time: format.clock(place.seconds) });
  if (isHeard && playing)
    return (
      <Button icon={<Pause size={16} aria-hidden />} onClick={player.pause}>
        {t("common:player.pause")}
      </Button>
    );
  return (
    <>
      {hasBegun ? (
        <span className="max-w-60 truncate text-12 text-ink-2 @max-[900px]/main:hidden" dir="auto">
          {where}
        </span>
      ) : null}
      <Button
        icon={<Headphones size={16} aria-hidden />}
        {...(hasBegun ? { hint: where } : {})}
        onClick={() => (isHeard ? player.play() : void guarded(() => listen(book.id, place)))}
      >
        {hasBegun ? t("continue") : t("listen")}
      </Button>
    </>
  );
}
