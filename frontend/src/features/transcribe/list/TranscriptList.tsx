import { useCallback, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptRow as Row } from "@/api/types";
import { cx, VirtualList } from "@/ui";
import { TranscriptRow } from "./TranscriptRow";
import { useTranscriptActions } from "./useTranscriptActions";

const pageRows = 10; // rows of Page Up and Page Down

const linkOf = (id: string) => document.querySelector<HTMLElement>(`[data-transcript="${CSS.escape(id)}"]`);

/** Moves the focus from the search field to the list. */
export const focusList = (): void => document.querySelector<HTMLElement>("[data-transcript][tabindex='0']")?.focus();

/** Rows outside the window do not exist before the list has scrolled to them. */
function focusRow(id: string, tries = 10): void {
  const link = linkOf(id);
  if (link) link.focus();
  else if (tries > 0) requestAnimationFrame(() => focusRow(id, tries - 1));
}

interface Props {
  rows: readonly Row[];
  isStale: boolean;
  onEnd: (() => void) | undefined;
}

/** All transcripts, newest first. One row is a tab stop; the arrow keys move it. */
export function TranscriptList({ rows, isStale, onEnd }: Props) {
  const { t } = useTranslation("transcribe");
  const actions = useTranscriptActions();
  const [wanted, setWanted] = useState("");
  const [menu, setMenu] = useState<string | null>(null);
  const active = rows.find(({ id }) => id === wanted) ?? rows[0];
  const at = active ? rows.indexOf(active) : -1;

  function moveTo(index: number) {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    setWanted(row.id);
    focusRow(row.id);
  }
  function remove(row: Row) {
    const place = rows.indexOf(row);
    const next = rows[place + 1] ?? rows[place - 1];
    actions.remove(row);
    if (next) {
      setWanted(next.id);
      focusRow(next.id);
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof Element) || !event.target.matches("[data-transcript]") || !active) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + pageRows),
      PageUp: () => moveTo(at - pageRows),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      Delete: () => remove(active),
      ContextMenu: () => setMenu(active.id),
      ...(event.shiftKey ? { F10: () => setMenu(active.id) } : {}),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
  const noEnd = useCallback(() => undefined, []);
  return (
    // The links of the rows have the focus; this handles the keys that move between them.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={cx("flex min-h-0 flex-1 flex-col", isStale && "opacity-60")} onKeyDown={onKeyDown}>
      <VirtualList
        items={rows}
        keyOf={({ id }) => id}
        estimate={36}
        label={t("list")}
        className="min-h-0 flex-1 pb-16"
        onEnd={onEnd ?? noEnd}
        focusIndex={at}
        footer={<p className="px-4 py-3 text-12 text-ink-3">{t("dropHint")}</p>}
        render={(row) => (
          <TranscriptRow
            row={row}
            isActive={row.id === active?.id}
            isMenuOpen={menu === row.id}
            actions={actions}
            onActive={() => setWanted(row.id)}
            onMenu={(open) => setMenu(open ? row.id : null)}
            onRemove={() => remove(row)}
          />
        )}
      />
    </div>
  );
}
