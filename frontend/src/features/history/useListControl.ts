import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from "react";
import { anchorAt, chooseAll, extendTo, keepOnly, noSelection, toggle, type Selection } from "./selection";
import type { Actions } from "./useActions";

const page = 10; // rows of Page Up and Page Down

export interface ListControl {
  active: string | null;
  selection: Selection;
  menu: string | null;
  /** The active row must scroll into view, because the keyboard moved it. */
  follow: RefObject<boolean>;
  setMenu(id: string | null): void;
  setActive(id: string | null): void;
  clear(): void;
  /** Deletes the selected rows, else the active one. */
  remove(): void;
  chooseAll(order: readonly string[]): void;
  press(id: string, event: MouseEvent): void;
  toggle(id: string, extend: boolean): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface Options {
  order: readonly string[];
  first: string | null;
  actions: Actions;
  onChooseAll(): void;
  canPlay(id: string): boolean;
}

/** Mouse and keyboard of the list: which row is active, which are selected, and what the keys do. */
export function useListControl({ order, first, actions, onChooseAll, canPlay }: Options): ListControl {
  const [active, setActive] = useState(first);
  const [chosen, setSelection] = useState(noSelection);
  const [menu, setMenu] = useState<string | null>(null);
  const follow = useRef(first !== null);
  const selection = useMemo(() => keepOnly(chosen, order), [chosen, order]);
  const latest = useRef({ order, selection, active });
  useEffect(() => {
    latest.current = { order, selection, active };
  });

  /** The ids that an action applies to: the selected rows, else the active one. */
  const targets = (): string[] =>
    selection.ids.size > 0
      ? order.filter((id) => selection.ids.has(id))
      : active !== null && order.includes(active)
        ? [active]
        : [];

  function moveTo(index: number, extend: boolean) {
    const id = order[Math.max(0, Math.min(order.length - 1, index))];
    if (id === undefined) return;
    follow.current = true;
    if (extend)
      setSelection(
        extendTo(selection.anchor === null && active !== null ? anchorAt(selection, active) : selection, order, id),
      );
    else setSelection(anchorAt(selection, id));
    setActive(id);
  }

  function remove() {
    const ids = targets();
    if (ids.length === 0) return;
    const removed = new Set(ids);
    const at = order.indexOf(ids[0] ?? "");
    const next =
      order.slice(at).find((id) => !removed.has(id)) ?? order.slice(0, at).findLast((id) => !removed.has(id)) ?? null;
    void actions.remove(ids);
    setActive(next);
    setSelection(noSelection);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (
      event.target !== event.currentTarget &&
      event.target instanceof HTMLElement &&
      event.target.closest('[role="menu"]')
    )
      return;
    const at = active === null ? -1 : order.indexOf(active);
    const keys: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1, event.shiftKey),
      ArrowUp: () => moveTo(at < 0 ? 0 : at - 1, event.shiftKey),
      PageDown: () => moveTo(at + page, event.shiftKey),
      PageUp: () => moveTo(at - page, event.shiftKey),
      Home: () => moveTo(0, event.shiftKey),
      End: () => moveTo(order.length - 1, event.shiftKey),
      Enter: () => {
        if (active !== null && canPlay(active)) void actions.play(active);
      },
      " ": () => {
        if (active !== null) setSelection(toggle(selection, active));
      },
      Delete: remove,
      ContextMenu: () => setMenu(active),
      ...(selection.ids.size > 0 ? { Escape: () => setSelection(noSelection) } : {}),
      ...(event.shiftKey ? { F10: () => setMenu(active) } : {}),
    };
    const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a";
    const run = isAll ? onChooseAll : event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  // Every row receives these two, so their identity must not change.
  const [pointer] = useState(() => ({
    press(id: string, event: MouseEvent) {
      const { selection: now, order: rows, active: before } = latest.current;
      if (event.target instanceof Element && event.target.closest('button, [role="menu"]')) return;
      if (event.shiftKey)
        setSelection(extendTo(now.anchor === null && before !== null ? anchorAt(now, before) : now, rows, id));
      else if (event.ctrlKey || event.metaKey) setSelection(toggle(now, id));
      else setSelection(anchorAt(noSelection, id));
      setActive(id);
    },
    toggle(id: string, extend: boolean) {
      const { selection: now, order: rows } = latest.current;
      setSelection(extend ? extendTo(now, rows, id) : toggle(now, id));
    },
  }));
  return {
    active,
    selection,
    menu,
    follow,
    setMenu,
    setActive,
    press: pointer.press,
    toggle: pointer.toggle,
    onKeyDown,
    remove,
    clear: () => setSelection(noSelection),
    chooseAll: (all) => setSelection(chooseAll(all)),
  };
}
