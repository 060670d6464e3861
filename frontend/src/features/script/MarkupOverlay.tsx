import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import type { Part } from "./markupParts";

const respellParts = /^(\[\[)([^|]*)(\|)(.*)(\]\])$/s;

function Chip({ part: { text, markup } }: { part: Part }) {
  const { t } = useTranslation("script");
  const format = useFormat();
  if (markup?.kind === "pause")
    return (
      <span className="sc-chip" data-shown={`‖\u2002${t("seconds", { seconds: format.number(markup.seconds) })}`}>
        {text}
      </span>
    );
  if (markup?.kind === "respell") {
    const [, open, word, bar, respelling, close] = respellParts.exec(text) ?? [];
    return (
      <span className="sc-chip">
        {open}
        <b>{word}</b>
        {bar}
        <i>{respelling}</i>
        {close}
      </span>
    );
  }
  return (
    <span className="sc-chip" data-kind="tag">
      [<i>{text.slice(1, -1)}</i>]
    </span>
  );
}

/** Marks the chips that wrap over two lines, which show their text as typed. */
function markWrapped(overlay: HTMLElement): void {
  for (const chip of overlay.querySelectorAll<HTMLElement>("[data-shown]"))
    chip.toggleAttribute("data-broken", chip.getClientRects().length > 1);
}

/**
 * Draws the text of a turn over its field, with markup as chips. Each chip is as wide as the typed text, so that lines
 * break and the cursor appears where they do in the field. Screen readers read the field.
 */
export function MarkupOverlay({ parts, edited }: { parts: readonly Part[]; edited: number }) {
  const overlay = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (overlay.current) markWrapped(overlay.current);
  }, [parts, edited]);
  useLayoutEffect(() => {
    const element = overlay.current;
    if (!element) return;
    const observer = new ResizeObserver(() => markWrapped(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={overlay} aria-hidden className="sc-marked" dir="auto">
      {parts.map((part, i) => {
        if (!part.markup) return part.text;
        return i === edited ? (
          <span key={part.from} className="sc-raw">
            {part.text}
          </span>
        ) : (
          <Chip key={part.from} part={part} />
        );
      })}
    </div>
  );
}
