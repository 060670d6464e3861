import { Headphones, MoreHorizontal, Pause, Play, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { BookRow } from "@/api/types";
import { player, usePlayer } from "@/player";
import { IconButton, Menu, type MenuItem } from "@/ui";
import { guarded } from "../state";
import { continueListening, useHeardBook } from "./listening";

interface Props {
  book: BookRow;
  tabIndex: number;
  onFocus(): void;
  onRemove(): void;
}

/** On the cover of a book: continues listening to it, and a menu of what can be done with it. */
export function CoverActions({ book, tabIndex, onFocus, onRemove }: Props) {
  const { t } = useTranslation("audiobook");
  const isHeard = useHeardBook() === book.id;
  const { playing } = usePlayer();
  const isPlaying = isHeard && playing;
  const canListen = book.seconds > 0 || isHeard;
  const listen = () => (isHeard ? player.toggle() : void guarded(() => continueListening(book.id)));
  const { title } = book;
  const label = isPlaying ? t("pauseOf", { title }) : t(book.place ? "continueOf" : "listenTo", { title });
  const Icon = isPlaying ? Pause : Play;
  const action = isPlaying ? t("common:player.pause") : t(book.place ? "continue" : "listen");
  const items: MenuItem[] = canListen
    ? [{ label: action, icon: <Headphones size={16} aria-hidden />, onSelect: listen }]
    : [];
  const remove = { label: t("deleteBook"), icon: <Trash2 size={16} aria-hidden />, danger: true, onSelect: onRemove };
  return (
    <div className="bk-cover-actions">
      {canListen ? (
        <IconButton
          kind="plain"
          label={label}
          icon={<Icon size={14} fill="currentColor" />}
          className={isHeard ? "" : "k-later"}
          tabIndex={tabIndex}
          onFocus={onFocus}
          onClick={listen}
        />
      ) : null}
      <Menu isOfRow groups={[items, [remove]]}>
        <IconButton
          kind="plain"
          label={t("moreOf", { title })}
          icon={<MoreHorizontal size={16} />}
          className="k-later ms-auto"
          tabIndex={tabIndex}
          onFocus={onFocus}
        />
      </Menu>
    </div>
  );
}
