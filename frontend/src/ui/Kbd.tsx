import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";

const names: Record<string, string> = {
  enter: "↵",
  escape: "Esc",
  space: "Space",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  delete: "Del",
  tab: "Tab",
  shift: "⇧",
  mod: "Ctrl",
  alt: "Alt",
  home: "Home",
  end: "End",
  pageup: "Page ↑",
  pagedown: "Page ↓",
  plus: "+",
};
/** Key labels by language, where they differ from the English ones. */
const namesOf: Record<string, Record<string, string>> = {
  de: {
    mod: "Strg",
    delete: "Entf",
    space: "Leertaste",
    home: "Pos1",
    end: "Ende",
    pageup: "Bild ↑",
    pagedown: "Bild ↓",
  },
};
const ofMac: Record<string, string> = { mod: "⌘", alt: "⌥", delete: "⌦" };

export const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** Formats "mod+enter" for this system and language; "g h" is two keys pressed one after the other. */
export function keyText(keys: string, language = "en"): string {
  const words = { ...names, ...namesOf[language.split("-")[0] ?? ""], ...(isMac ? ofMac : {}) };
  const chord = (one: string) =>
    one
      .split("+")
      .map((key) => words[key] ?? (/^(.|f\d+)$/.test(key) ? key.toUpperCase() : key))
      .join(isMac ? "" : " ");
  return keys.toLowerCase().split(" ").map(chord).join(" ");
}

/** Returns the keys that run an action now, by its default keys; null for none, because the person switched them off. */
export const CurrentKeys = createContext<(keys: string) => string | null>((keys) => keys);

export function Kbd({ keys }: { keys: string }) {
  const { i18n } = useTranslation();
  const now = useContext(CurrentKeys)(keys);
  if (now === null) return null;
  return (
    <kbd className="k-kbd" dir="ltr">
      {keyText(now, i18n.language)}
    </kbd>
  );
}

const ariaNames: Record<string, string> = {
  mod: isMac ? "Meta" : "Control",
  arrowup: "ArrowUp",
  arrowdown: "ArrowDown",
  pageup: "PageUp",
  pagedown: "PageDown",
};

/** Returns the current keys as aria-keyshortcuts takes them, which has no chords. */
export function useAriaKeys(keys: string | undefined): string | undefined {
  const current = useContext(CurrentKeys);
  const now = keys === undefined ? null : current(keys);
  if (now === null || now.includes(" ")) return undefined;
  return now
    .split("+")
    .map((key) => ariaNames[key] ?? key.charAt(0).toUpperCase() + key.slice(1))
    .join("+");
}
