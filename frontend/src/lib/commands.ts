import { useEffect, useEffectEvent, useId } from "react";
import { actionsOf } from "@/lib/bindings";
import { createStore, useStore } from "@/lib/store";

export interface Command {
  id: string;
  title: string;
  run(): void;
  /** Its default keys, which work everywhere: "mod+enter", "v", "?"; "g h" is a chord. */
  shortcut?: string;
  /** Additional search terms for the palette. */
  keywords?: string;
  /** Has a shortcut and is in the help, but not in the palette. */
  hidden?: boolean;
}

const store = createStore<ReadonlyMap<string, readonly Command[]>>(new Map());

/** Registers commands while the component is mounted: in the palette, the help, and with their shortcuts. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useId();
  const run = useEffectEvent((id: string) => commands.find((command) => command.id === id)?.run());
  const current = useEffectEvent(() => commands);
  const shape = JSON.stringify(
    commands.map(({ id, title, shortcut, keywords, hidden }) => [id, title, shortcut, keywords, hidden]),
  );
  useEffect(() => {
    const list = current().map((command) => ({ ...command, run: () => run(command.id) }));
    store.set((all) => new Map(all).set(owner, list));
    return () =>
      store.set((all) => {
        const next = new Map(all);
        next.delete(owner);
        return next;
      });
  }, [owner, shape]);
}

/** Registers one shortcut, which the help and the palette list too. */
export function useShortcut(shortcut: string, title: string, run: () => void): void {
  useCommands([{ id: `key:${shortcut}`, title, shortcut, run }]);
}

export function useAllCommands(): Command[] {
  return [...useStore(store).values()].flat();
}

/** Runs a command now, or once the screen that registers it is mounted. */
export function runCommand(id: string): void {
  const find = () => [...store.get().values()].flat().find((c) => c.id === id);
  const command = find();
  if (command) {
    command.run();
    return;
  }
  const stop = store.subscribe(() => {
    const late = find();
    if (!late) return;
    stop();
    clearTimeout(timeout);
    late.run();
  });
  const timeout = setTimeout(stop, 5000);
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "getModifierState">;
const named: Readonly<Record<string, string>> = { " ": "space", "+": "plus" };

/** Returns the keys of an event as a shortcut: "mod+shift+k". */
export function keysOf(event: Pressed): string {
  // A letter of the layout, not Ctrl and Alt.
  if (event.getModifierState?.("AltGraph") && event.key.length === 1) return event.key.toLowerCase();
  const key = named[event.key] ?? event.key.toLowerCase();
  const printable = event.key.length === 1;
  return [
    event.ctrlKey || event.metaKey ? "mod" : "",
    event.altKey ? "alt" : "",
    event.shiftKey && (!printable || event.ctrlKey || event.metaKey) ? "shift" : "",
    key,
  ]
    .filter(Boolean)
    .join("+");
}

/** Reports whether an event in a list is the keys of an action, which has these default keys. */
export const isPressed = (event: Pressed, action: string): boolean => actionsOf(keysOf(event)).includes(action);

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** Reports whether the focused element handles the keys: a text field, an open dialog or menu, a pressed control. */
function taken(event: KeyboardEvent, keys: string): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  if (document.querySelector('[role="dialog"][data-state="open"], [role="menu"]')) return true;
  if (keys.startsWith("mod+")) return false;
  if (keys === "space" && event.target instanceof Element && event.target.closest("button, a, [role]")) return true;
  // A list may have passed the key on.
  return typing(event.target) || typing(document.activeElement);
}

const chordTimeout = 1500; // ms between the two keys of a chord
let before = { keys: "", at: 0 };

/** Returns the command of a key, alone or after the previous key; the screen mounted last wins. */
function commandOf(keys: string): Command | undefined {
  const all = [...store.get().values()].flat().reverse();
  const both = Date.now() - before.at < chordTimeout ? `${before.keys} ${keys}` : "";
  before = { keys, at: Date.now() };
  const find = (pressed: string) => {
    const actions = actionsOf(pressed);
    return all.find(({ shortcut }) => shortcut !== undefined && actions.includes(shortcut));
  };
  return find(both) ?? find(keys);
}

function onKey(event: KeyboardEvent): void {
  const keys = keysOf(event);
  if (taken(event, keys)) return;
  const command = commandOf(keys);
  if (!command) return;
  before = { keys: "", at: 0 };
  event.preventDefault();
  command.run();
}

/** Binds the shortcuts of all commands to the window. */
export function listenForShortcuts(): () => void {
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}
