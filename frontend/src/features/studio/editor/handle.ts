import type { ChunkRange } from "./locateChunks";
import type { Pending } from "./marks";
import type { MarkActions } from "./markPress";

export interface Selected {
  from: number;
  to: number;
  text: string;
}

/** What the screen can do with the editor, or with the plain field before it is loaded. */
export interface EditorHandle {
  text(): string;
  length(): number;
  /** The selection, or the word at the cursor. */
  word(): Selected;
  selection(): Selected;
  replace(from: number, to: number, text: string): void;
  /** Takes a text that was not written here: the cursor stays, and it counts as no change. */
  setText(text: string): void;
  focus(): void;
  /** Opens the panel that finds in the text. */
  find(): void;
  setChunkRanges(places: readonly ChunkRange[]): void;
  setPending(pending: Pending | null): void;
  setPlaying(chunk: number): void;
}

export interface EditorProps {
  /** Shown when the page opens; after that the page has the text. */
  text: string;
  label: string;
  placeholder: string;
  /** Called at each change; cheap, as it is called at each key. */
  onChange(): void;
  /** The chunk at the cursor, and how many have changed. */
  onChunks(state: { current: number; changed: number }): void;
  onMark: MarkActions;
  onFiles(files: File[]): void;
  /** Nothing more can be written here. */
  onFull(): void;
  /** What was to be put in has no room here; it was not put in. */
  onTooLong(text: string): void;
  onReady(handle: EditorHandle): void;
}
