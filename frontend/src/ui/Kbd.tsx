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

export function Kbd({ keys }: { keys: string }) {
  const { i18n } = useTranslation();
  return (
    <kbd className="k-kbd" dir="ltr">
      {keyText(keys, i18n.language)}
    </kbd>
  );
}
