import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  title: string;
  /** Called with the new title, or null where nothing changes. */
  onEnd(title: string | null): void;
}

/** The field in which a chapter is renamed, in the place of its title. */
export function ChapterTitle({ title, onEnd }: Props) {
  const { t } = useTranslation("books");
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  const hasEnded = useRef(false);
  useEffect(() => field.current?.select(), []);
  function end(isKept: boolean) {
    if (hasEnded.current) return; // leaving the field is also its end
    hasEnded.current = true;
    const next = text.trim();
    onEnd(isKept && next !== "" && next !== title ? next : null);
  }
  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation(); // the keys of the list, and Ctrl+Z of the book
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    end(event.key === "Enter");
  }
  return (
    <div className="k-field min-w-0 flex-1">
      <input
        ref={field}
        type="text"
        aria-label={t("titleOf", { title })}
        value={text}
        maxLength={1000}
        dir="auto"
        autoComplete="off"
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onBlur={() => end(true)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
