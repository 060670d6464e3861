import type { DraftContent } from "@/api/drafts";
import type { ApiError } from "@/api/errors";
import type { DraftConflict } from "./saveDraft";
import type { UndoRules } from "./undo";

export interface DraftTurn {
  id: string;
  text: string;
}
/** The content of a draft: turns, one after the other. A text is one turn. */
export interface DraftDocument {
  turns: readonly DraftTurn[];
}

/** How one kind of document is stored, named and compared. */
export interface DocumentFormat<D extends DraftDocument> {
  empty: D;
  /** Returns the document of stored content; null if it is of another kind or not readable. */
  parse(content: DraftContent): D | null;
  serialize(document: D): DraftContent;
  /** Returns the name to save a document under; `current` is its present name. */
  nameOf(document: D, current: string): string;
  /** Returns the name of a copy. */
  copyOf(name: string): string;
  /** Returns the document with a name that a person gave. */
  rename(document: D, name: string): D;
  /** Reports whether saving one over the other loses no text. */
  isSame(a: D, b: D): boolean;
  /** Left out where the attached view has its own undo. */
  undo?: UndoRules<D>;
}

/** An editor that holds newer text than the store. */
export interface DocumentView<D> {
  /** Returns the document with the text of the editor. */
  read(document: D): D;
  /** Shows the text of a document that was not written in this view. */
  show(document: D): void;
}

export type SaveState = "clean" | "waiting" | "saving" | "failed";
export interface DraftState<D> {
  /** Undefined until the draft is saved for the first time. */
  id: string | undefined;
  name: string;
  /** As it was at the last save; an attached view has the newest text. */
  document: D;
  saving: SaveState;
  /** Why the last save failed. */
  error: ApiError | null;
  /** The `updated_at` of the stored draft. */
  savedAt: string | undefined;
  /** Increases with each document that is opened; 0 before the first. */
  opened: number;
  conflict: DraftConflict | null;
}
