import { memo, useEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "@/api/types";
import { useFormat } from "@/i18n/format";
import type { Hit } from "../text/find";
import { isUnsure, partsOf, piecesOf, type Piece } from "../text/pieces";

interface Props {
  segment: Segment;
  hits: readonly Hit[];
  /** Those of the match that the search is at. */
  current: readonly Hit[];
  marks: boolean;
}

function Parts({ piece, hits, current }: { piece: Piece } & Pick<Props, "hits" | "current">) {
  if (hits.length === 0) return piece.text;
  return partsOf(piece, hits).map((part, i) =>
    part.hit ? (
      <mark key={i} data-current={current.includes(part.hit) ? "" : undefined}>
        {part.text}
      </mark>
    ) : (
      <span key={i}>{part.text}</span>
    ),
  );
}

/** The text of a segment with its words, each of which can be clicked and marked. */
export const SegmentText = memo(function SegmentText({ segment, hits, current, marks }: Props) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const pieces = useMemo(() => piecesOf(segment), [segment]);
  return (
    <span data-segment={segment.id}>
      {pieces.map((piece) => {
        const word = segment.words[piece.word];
        const parts = <Parts piece={piece} hits={hits} current={current} />;
        if (!word) return <span key={piece.from}>{parts}</span>;
        const isMarked = marks && isUnsure(word);
        return (
          <span
            key={piece.from}
            data-word={`${segment.id}:${piece.word}`}
            data-start={word.start}
            className={isMarked ? "tr-unsure" : undefined}
            title={isMarked ? t("unsure.sure", { part: format.percent(word.probability) }) : undefined}
          >
            {parts}
          </span>
        );
      })}
    </span>
  );
});

interface FieldProps {
  segment: Segment;
  onChange(text: string): void;
  onEnd(): void;
  onNext(step: 1 | -1): void;
}

/** Puts the caret at the end of an element. */
function placeCaret(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  const selection = window.getSelection();
  selection?.selectAllChildren(element);
  selection?.collapseToEnd();
}

const textIn = (element: HTMLElement): string => (element.textContent ?? "").replace(/\s+/g, " ").trim();

/** The text of a segment while it is edited, in the line where it was. Without text the segment is removed. */
export function SegmentField({ segment, onChange, onEnd, onNext }: FieldProps) {
  const { t } = useTranslation("transcribe");
  const field = useRef<HTMLSpanElement>(null);
  const before = useRef(segment.text);
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.textContent = before.current.trim();
    placeCaret(element);
  }, []);
  function end() {
    if (field.current && textIn(field.current) === "") onChange("");
    onEnd();
  }
  function onKeyDown(event: KeyboardEvent<HTMLSpanElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Tab") {
      event.preventDefault();
      onNext(event.shiftKey ? -1 : 1);
    } else if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") {
        event.currentTarget.textContent = before.current;
        onChange(before.current);
      }
      event.currentTarget.closest(".tr-par")?.querySelector<HTMLElement>(".tr-time")?.focus(); // ends the editing
    }
  }
  return (
    <span
      ref={field}
      role="textbox"
      tabIndex={0}
      aria-label={t("editSentence")}
      className="tr-field"
      contentEditable="plaintext-only"
      suppressContentEditableWarning
      spellCheck
      onInput={(event) => {
        const text = textIn(event.currentTarget);
        if (text !== "") onChange(text); // the segment stays while it is edited
      }}
      onBlur={end}
      onKeyDown={onKeyDown}
    />
  );
}
