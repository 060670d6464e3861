import { goKeys, keyGroups, keyTable, type KeyGroup } from "./keyTable";
import { prefs, type Prefs } from "./prefs";

/** The default keys of an action. They name it: the same keys mean the same on every screen. */
type Action = string;
type Changes = Pick<Prefs, "keys" | "singleKeys">;

/** Keys that lists, menus and text fields have in every program. */
const fixed: ReadonlySet<string> = new Set([
  ...["arrowup", "arrowdown", "shift+arrowup", "shift+arrowdown", "alt+arrowup", "alt+arrowdown"],
  ...["home", "end", "pageup", "pagedown", "enter", "shift+enter", "escape", "tab", "space", "delete", "shift+f10"],
  ...["mod+a", "mod+z", "mod+shift+z", "mod+y"],
]);
export const isChangeable = (action: Action): boolean => !fixed.has(action);

const groupsOf = (action: Action): KeyGroup[] =>
  Object.values(goKeys).includes(action)
    ? ["everywhere"]
    : keyGroups.filter((group) => keyTable[group].some(({ keys }) => keys.includes(action)));

const actions: readonly Action[] = [
  ...new Set([...keyGroups.flatMap((group) => keyTable[group].flatMap(({ keys }) => keys)), ...Object.values(goKeys)]),
];

/** Reports whether one of the keys is a character without Ctrl, Alt or Command, which speech input may type by accident. */
export const isSingle = (keys: string): boolean => keys.split(" ").some((one) => one.length === 1);

/** Returns the keys that run an action now; null while they are switched off. */
export function currentKeys(action: Action, { keys, singleKeys }: Changes): string | null {
  const now = (isChangeable(action) ? keys[action] : undefined) ?? action;
  return singleKeys || !isSingle(now) ? now : null;
}

/** Returns the actions that pressed keys run, by their default keys: those of several screens may share them. */
export function actionsOf(pressed: string, changes: Changes = prefs.get()): readonly Action[] {
  return [...new Set([pressed, ...Object.keys(changes.keys)])].filter(
    (action) => currentKeys(action, changes) === pressed,
  );
}

/** Returns the actions on the same screen that new keys of an action would run too, or begin. */
export function conflictsOf(action: Action, keys: string, changes: Changes): readonly Action[] {
  const own = groupsOf(action);
  const meets = (group: KeyGroup) => group === "everywhere" || own.includes(group) || own.includes("everywhere");
  const clashes = (other: string) => other === keys || other.startsWith(`${keys} `) || keys.startsWith(`${other} `);
  return actions.filter(
    (other) =>
      other !== action &&
      groupsOf(other).some(meets) &&
      clashes(currentKeys(other, { ...changes, singleKeys: true }) ?? ""),
  );
}

/** Stores the keys of an action; its default ones if they are the same. */
export function setKeys(action: Action, keys: string): void {
  const changes = new Map(Object.entries(prefs.get().keys)).set(action, keys);
  if (keys === action) changes.delete(action);
  prefs.set({ keys: Object.fromEntries(changes) });
}
