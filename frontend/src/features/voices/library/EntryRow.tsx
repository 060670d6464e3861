import type { MouseEvent } from "react";
import { Card, Row } from "@/ui";
import { type EntryProps, type Parts, useParts } from "./useEntryParts";

function Cells({ face, name, line, languages, engine, state, buttons, wide }: Parts) {
  return (
    <>
      <div role="gridcell" className="flex min-w-0 flex-1 items-center gap-3 py-1">
        {face}
        <div className="min-w-0">
          <div className="flex items-center gap-1.5 font-medium">{name}</div>
          <div className="truncate text-12 text-ink-2" dir="auto" title={line}>
            {line}
            <span className="@xl:hidden"> · {languages}</span>
          </div>
        </div>
      </div>
      <div role="gridcell" className="hidden w-28 truncate text-12 text-ink-2 @xl:block @3xl:w-44" title={languages}>
        {languages}
      </div>
      <div role="gridcell" className="hidden w-20 truncate text-12 text-ink-2 @2xl:block" title={engine}>
        {engine}
      </div>
      <div role="gridcell" className="flex w-24 flex-none justify-end">
        {state}
      </div>
      <div role="gridcell" className={`flex ${wide ? "w-24" : "w-16"} flex-none justify-end`}>
        {buttons}
      </div>
    </>
  );
}

/** Handles clicks on the row itself, not those on its buttons and their menus, which are rendered elsewhere. */
function clicks({ entry, onActive, onEnter }: EntryProps) {
  const own = (event: MouseEvent<HTMLElement>) =>
    event.target instanceof Element &&
    event.currentTarget.contains(event.target) &&
    event.target.closest("button") === null;
  return {
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (own(event)) {
        onActive();
        if (entry.kind === "group") onEnter();
      }
    },
    onDoubleClick: (event: MouseEvent<HTMLElement>) => {
      if (own(event) && entry.kind !== "group") onEnter();
    },
  };
}

/** One row: a voice, a model with many voices, a model to download, or a heading. */
export function EntryRow(props: EntryProps) {
  const { entry, active, selected } = props;
  const parts = useParts(props);
  if (entry.kind === "heading")
    return (
      <div role="row" className="flex h-11 items-end gap-2 px-4 pb-2 text-12 font-medium text-ink-3">
        <span role="gridcell">
          {entry.text} <span className="ps-1 font-normal">{entry.count}</span>
        </span>
      </div>
    );
  if (!parts) return null;
  return (
    <Row
      role="row"
      height="tall"
      selected={selected}
      tabIndex={active ? 0 : -1}
      data-key={entry.key}
      {...clicks(props)}
    >
      <Cells {...parts} />
    </Row>
  );
}

/** The same entry as a card. */
export function EntryCard(props: EntryProps) {
  const { entry, active, selected } = props;
  const parts = useParts(props);
  if (!parts) return null;
  return (
    <Card
      role="gridcell"
      tabIndex={active ? 0 : -1}
      aria-selected={selected}
      data-key={entry.key}
      data-row=""
      className="flex min-w-0 flex-col gap-2 p-3! aria-selected:border-edge! aria-selected:bg-fill-2!"
      {...clicks(props)}
    >
      <div className="flex items-center justify-between">
        {parts.face}
        <div className="flex">{parts.buttons}</div>
      </div>
      <div className="min-w-0">
        <div className="flex items-center gap-1.5 font-medium">{parts.name}</div>
        <div className="truncate text-12 text-ink-2" dir="auto" title={parts.line}>
          {parts.line}
        </div>
      </div>
      <div className="flex items-center justify-between gap-2 text-12 text-ink-2">
        <span className="truncate" title={parts.languages}>
          {parts.languages}
        </span>
        {parts.state}
      </div>
    </Card>
  );
}
