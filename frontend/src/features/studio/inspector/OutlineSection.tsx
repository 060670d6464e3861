import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStorePart } from "@/lib/store";
import type { EditorController } from "../editor/useEditor";
import { headingAt, outlineOf } from "../editor/outline";

interface Props {
  editor: EditorController;
  /** Called when the person goes to a heading. */
  onGo(): void;
}

/** The headings of the text; a click goes to one, and the one at the cursor is marked. */
export function OutlineSection({ editor, onGo }: Props) {
  const { t } = useTranslation("studio");
  const { paused, cursor, handle } = editor;
  const headings = useMemo(() => outlineOf(paused), [paused]);
  // Renders when the chapter changes, not at each key press.
  const current = useStorePart(
    cursor,
    useCallback((position: number) => headingAt(headings, position), [headings]),
  );
  if (headings.length === 0) return null;
  const top = Math.min(...headings.map(({ level }) => level));
  /** Goes to a heading, which typing since the last pause may have moved. */
  function goTo(index: number): void {
    const heading = outlineOf(handle.current?.text() ?? "")[index] ?? headings[index];
    if (!heading) return;
    onGo();
    handle.current?.goTo(heading.from);
  }
  return (
    <section>
      <h3 className="font-medium">{t("outline")}</h3>
      <nav aria-label={t("outline")}>
        <ol className="st-outline">
          {headings.map(({ title, level, from }, i) => (
            <li key={from}>
              <button
                type="button"
                aria-current={i === current ? "location" : undefined}
                style={{ paddingInlineStart: `${8 + Math.min(level - top, 3) * 12}px` }}
                dir="auto"
                onClick={() => goTo(i)}
              >
                {title}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </section>
  );
}
