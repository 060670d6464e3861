/** The selected rows. A range starts at the anchor and adds to what was selected when the anchor was set. */
export interface Selection {
  ids: ReadonlySet<string>;
  base: ReadonlySet<string>;
  anchor: string | null;
}

const nothing: ReadonlySet<string> = new Set();
export const noSelection: Selection = { ids: nothing, base: nothing, anchor: null };

export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, base: next, anchor: id };
}

/** Selects everything between the anchor and a row; without an anchor, the row is selected and becomes the anchor. */
export function extendTo(selection: Selection, order: readonly string[], id: string): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(id);
  if (from < 0 || to < 0) return { ids: new Set([...selection.ids, id]), base: selection.ids, anchor: id };
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, ids: new Set([...selection.base, ...range]) };
}

/** Sets the anchor of the next range without selecting anything. */
export const anchorAt = (selection: Selection, id: string): Selection => ({
  ...selection,
  base: selection.ids,
  anchor: id,
});

export function chooseAll(order: readonly string[]): Selection {
  const ids = new Set(order);
  return { ids, base: ids, anchor: order[0] ?? null };
}

/** Removes rows that no longer exist from the selection. */
export function keepOnly(selection: Selection, order: readonly string[]): Selection {
  const there = new Set(order);
  if ([...selection.ids].every((id) => there.has(id))) return selection;
  const ids = new Set([...selection.ids].filter((id) => there.has(id)));
  return { ...selection, ids, base: ids };
}
