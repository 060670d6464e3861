// react-hotkeys-hook does not replace this: it binds each shortcut on its own, while lib/commands.ts resolves a key against all
// commands at once (two-key chords first, then the screen mounted last) and gives the same list to the palette and the help.

/** The keys of one action, and the name of its text: `keys.<group>.<name>` in common.json. */
export interface KeyLine {
  name: string;
  keys: readonly string[];
}

/** The keys that lead to the screens: two, one after the other, since browsers have Ctrl with digits for their tabs. */
export const goKeys: Readonly<Record<string, string>> = {
  studio: "g s",
  voices: "g v",
  history: "g h",
  models: "g m",
  script: "g c",
  settings: "g ,",
};

const line = (name: string, ...keys: string[]): KeyLine => ({ name, keys });
const list = [line("move", "arrowup", "arrowdown"), line("page", "pageup", "pagedown"), line("ends", "home", "end")];

/** All keys, by where they work; those that live in a list or a text are not among the commands. */
export const keyTable = {
  everywhere: [
    line("palette", "mod+k"),
    line("help", "?"),
    line("undo", "mod+z"),
    line("playPause", "space"),
    line("settings", "mod+,"),
  ],
  studio: [
    line("generate", "mod+enter"),
    line("stop", "escape"),
    line("voice", "v", "mod+shift+v"),
    line("playFromCursor", "mod+shift+enter"),
    line("take", "mod+shift+u"),
    line("pause", "mod+."),
    line("respell", "mod+e"),
    line("spoken", "mod+shift+e"),
    line("newDraft", "mod+alt+n"),
    line("openFile", "mod+o"),
    line("find", "mod+f"),
  ],
  script: [
    line("generateAll", "mod+enter"),
    line("nextSpeaker", "tab"),
    line("newTurn", "enter"),
    line("newLine", "shift+enter"),
    line("stopEditing", "escape"),
    line("playTurn", "mod+shift+enter"),
    line("regenerateTurn", "mod+shift+u"),
    line("pause", "mod+."),
    line("moveTurn", "alt+arrowup", "alt+arrowdown"),
    line("undo", "mod+z"),
    line("redo", "mod+shift+z", "mod+y"),
  ],
  voices: [
    line("find", "/"),
    line("newVoice", "n"),
    ...list,
    line("use", "enter"),
    line("preview", "space"),
    line("favourite", "*"),
    line("delete", "delete"),
  ],
  history: [
    line("find", "/"),
    ...list,
    line("play", "enter"),
    line("choose", "space"),
    line("range", "shift+arrowup", "shift+arrowdown"),
    line("all", "mod+a"),
    line("none", "escape"),
    line("menu", "shift+f10"),
    line("delete", "delete"),
  ],
  models: [line("find", "/")],
  settings: [line("find", "/")],
  picker: [...list, line("use", "enter"), line("preview", "space"), line("favourite", "*")],
} satisfies Record<string, readonly KeyLine[]>;

export type KeyGroup = keyof typeof keyTable;
export const keyGroups = Object.keys(keyTable) as KeyGroup[];
export const isKeyGroup = (name: string): name is KeyGroup => name in keyTable;
