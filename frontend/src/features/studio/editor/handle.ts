import type { EditorState } from "@codemirror/state";
import type { TextChange } from "./insertions";
import type { ChunkRange } from "./locateChunks";
import type { Pending, TextRange } from "./marks";
import type { MarkActions } from "./markPress";

export interface Selected {
  from: number;
  to: number;
  text: string;
}

/** The operations of the editor, or of the plain field before it has loaded. */
export interface EditorHandle {
  text(): string;
  length(): number;
  /** Returns the selection, or the word at the cursor. */
  word(): Selected;
  selection(): Selected;
  replace(from: number, to: number, text: string): void;
  /** Makes changes in one undo step; the cursor stays. */
  change(changes: readonly TextChange[]): void;
  /** Shows all audio tags as chips with a button that removes them. */
  setTagButtons(isOn: boolean): void;
  /** Replaces the text with one that was not typed here: the cursor stays, and it does not count as a change. */
  setText(text: string): void;
  focus(): void;
  /** Moves the cursor to a position and scrolls it to the top. */
  goTo(position: number): void;
  /** Opens the find panel. */
  find(withReplace: boolean): void;
  setChunkRanges(places: readonly ChunkRange[]): void;
  setPending(pending: Pending | null): void;
  /** Marks what is heard: a chunk, -1 for none, or a range of the text. */
  setPlaying(playing: number | TextRange): void;
  /** Scrolls so that what is heard is in sight, of which a part, 0 to 1, has been heard. */
  showPlaying(part: number): void;
}

export interface EditorProps {
  /** The text at the start; after that the page holds the text. */
  text: string;
  /** What an editor of this draft was left with: its steps of undo stay, and what changed since is one more. */
  left?: EditorState | undefined;
  label: string;
  placeholder: string;
  /** Called at each key press, so it must be cheap. */
  onChange(): void;
  /** Called with the chunk at the cursor, -1 if there is none. */
  onChunk(chunk: number): void;
  onCursor(position: number): void;
  onMark: MarkActions;
  onFiles(files: File[]): void;
  /** The page has reached its limit. */
  onFull(): void;
  /** Called when an insertion exceeds the limit; nothing was inserted. */
  onTooLong(text: string): void;
  onReady(handle: EditorHandle): void;
  /** Called with the last state of the editor, when it is closed. */
  onLeave(state: EditorState): void;
}
