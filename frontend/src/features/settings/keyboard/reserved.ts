/** Why a shortcut cannot have certain keys; the text is `keyboard.reserved.<reason>`. */
export type Reason = "list" | "edit" | "paste" | "inputMethod" | "browser" | "window";

const keysBy: Readonly<Record<Reason, readonly string[]>> = {
  // Lists, menus, dialogs and text fields use them in every program.
  list: [
    ...["arrowup", "arrowdown", "arrowleft", "arrowright", "home", "end", "pageup", "pagedown"],
    ...["shift+arrowup", "shift+arrowdown", "shift+arrowleft", "shift+arrowright", "alt+arrowup", "alt+arrowdown"],
    ...[
      "enter",
      "shift+enter",
      "escape",
      "tab",
      "shift+tab",
      "space",
      "backspace",
      "delete",
      "shift+f10",
      "contextmenu",
    ],
  ],
  edit: [
    ...["mod+a", "mod+c", "mod+x", "mod+v", "mod+z", "mod+shift+z", "mod+y", "mod+insert", "shift+insert"],
    ...["shift+delete", "mod+backspace", "mod+delete", "mod+arrowleft", "mod+arrowright", "mod+home", "mod+end"],
  ],
  paste: ["mod+shift+v"], // paste without formatting, in every browser and in GTK
  // GTK and IBus: Unicode by number, the two emoji choosers, IBus's older one, and the switch of the method.
  inputMethod: ["mod+shift+u", "mod+.", "mod+;", "mod+shift+e", "mod+space"],
  // A page does not get these keys, or the person would lose the page, its tab, or its print and developer tools.
  browser: [
    ...["mod+t", "mod+w", "mod+shift+n", "mod+shift+t", "mod+shift+w", "mod+tab", "mod+shift+tab", "mod+l", "mod+p"],
    ...["mod+s", "mod+u", "mod+shift+r", "mod+shift+i", "mod+shift+j", "mod+shift+c", "mod+shift+delete", "f3", "f5"],
    ...[
      "f6",
      "f7",
      "f10",
      "f11",
      "f12",
      "alt+arrowleft",
      "alt+arrowright",
      "alt+home",
      "alt+f4",
      "mod+f4",
      "alt+space",
    ],
    ...["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => `mod+${digit}`),
  ],
  // The native menu of the desktop window: app/desktop/menu.go.
  window: ["mod+n", "mod+q", "mod+r", "mod+plus", "mod+=", "mod+-", "mod+0", "f1"],
};

const reasons: ReadonlyMap<string, Reason> = new Map(
  (Object.keys(keysBy) as Reason[]).flatMap((reason) => keysBy[reason].map((keys) => [keys, reason] as const)),
);

/** Returns why no shortcut can have these keys; undefined if one can. */
export const reservedFor = (keys: string): Reason | undefined => reasons.get(keys);
