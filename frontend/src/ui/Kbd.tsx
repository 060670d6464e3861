const names: Record<string, string> = {
  enter: "↵", escape: "Esc", space: "Space", arrowup: "↑", arrowdown: "↓", arrowleft: "←", arrowright: "→", delete: "Del", tab: "Tab", shift: "⇧",
};

export const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** "mod+enter" as people of this system write it. */
export function keyText(keys: string): string {
  const parts = keys.toLowerCase().split("+").map((key) => {
    if (key === "mod") return isMac ? "⌘" : "Ctrl";
    if (key === "alt") return isMac ? "⌥" : "Alt";
    return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  });
  return parts.join(isMac ? "" : " ");
}

export function Kbd({ keys }: { keys: string }) {
  return <kbd className="k-kbd" dir="ltr">{keyText(keys)}</kbd>;
}
