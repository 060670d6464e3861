// react-hotkeys-hook does not replace this and lib/commands.ts: each of its hooks listens on its own, so "g v" would also run "v", and
// mod+z would run for every screen that binds it, not for the one mounted last. Sequences skip its check for an open dialog, its keys
// are places on the keyboard or need Shift spelled out ("?", "/" and "*" differ by layout), and "*" there means every key.

/** The keys of one action, and the name of its text: `keys.<group>.<name>` in common.json. */
export interface KeyLine {
  name: string;
  keys: readonly string[];
}

/** The chords that open the screens: two keys, because browsers use Ctrl with digits for their tabs. */
export const goKeys: Readonly<Record<string, string>> = {
  studio: "g s",
  books: "g b",
  voices: "g v",
  history: "g h",
  transcribe: "g t",
  models: "g m",
  script: "g c",
  account: "g a",
  settings: "g ,",
};

const line = (name: string, ...keys: string[]): KeyLine => ({ name, keys });
const list = [line("move", "arrowup", "arrowdown"), line("page", "pageup", "pagedown"), line("ends", "home", "end")];

/** All shortcuts, by where they work; those of lists and texts are not among the commands. */
export const keyTable = {
  everywhere: [
    line("palette", "mod+k"),
    line("help", "?"),
    line("undo", "mod+z"),
    line("playPause", "space"),
    line("switchTakes", "mod+shift+b"),
    line("openFile", "mod+o"),
    line("settings", "mod+,"),
    line("dictate", "mod+shift+space"),
  ],
  studio: [
    line("generate", "mod+enter"),
    line("stop", "escape"),
    line("voice", "v", "mod+j"),
    line("playFromCursor", "mod+shift+enter"),
    line("take", "mod+alt+enter"),
    line("pause", "mod+b"),
    line("respell", "mod+e"),
    line("spoken", "mod+i"),
    line("newDraft", "mod+alt+n"),
    line("find", "mod+f"),
    line("replace", "mod+h"),
  ],
  script: [
    line("generateAll", "mod+enter"),
    line("nextSpeaker", "tab"),
    line("newTurn", "enter"),
    line("newLine", "shift+enter"),
    line("stopEditing", "escape"),
    line("playTurn", "mod+shift+enter"),
    line("regenerateTurn", "mod+alt+enter"),
    line("pause", "mod+b"),
    line("moveTurn", "alt+arrowup", "alt+arrowdown"),
    line("find", "mod+f"),
    line("replace", "mod+h"),
    line("undo", "mod+z"),
    line("redo", "mod+shift+z", "mod+y"),
  ],
  books: [
    line("chooseFiles", "mod+o"),
    ...list,
    line("open", "enter"),
    line("delete", "delete"),
    line("generate", "mod+enter"),
    line("voice", "v", "mod+j"),
    line("text", "enter"),
    line("rename", "f2"),
    line("merge", "m"),
    line("skip", "delete"),
    line("moveChapter", "alt+arrowup", "alt+arrowdown"),
    line("undo", "mod+z"),
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
  transcribe: [
    line("find", "/"),
    line("chooseFiles", "mod+o"),
    ...list,
    line("open", "enter"),
    line("delete", "delete"),
    line("findIn", "mod+f"),
    line("replaceIn", "mod+h"),
    line("edit", "e"),
    line("nextSentence", "tab"),
    line("stopEditing", "escape"),
    line("speaker", "s"),
    line("setSpeaker", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
    line("unsure", "f8"),
    line("undo", "mod+z"),
    line("redo", "mod+shift+z", "mod+y"),
  ],
  models: [line("find", "/")],
  settings: [line("find", "/")],
  picker: [...list, line("use", "enter"), line("preview", "space"), line("favourite", "*")],
} satisfies Record<string, readonly KeyLine[]>;

export type KeyGroup = keyof typeof keyTable;
export const keyGroups = Object.keys(keyTable) as KeyGroup[];
export const isKeyGroup = (name: string): name is KeyGroup => name in keyTable;
