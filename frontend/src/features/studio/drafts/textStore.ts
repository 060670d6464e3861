import type { DraftApi } from "@/api/drafts";
import type { DocumentFormat } from "@/features/drafts/document";
import { createDraftStore, type DraftStore } from "@/features/drafts/draftStore";
import { nameOf } from "@/features/drafts/name";
import { unsavedDrafts } from "@/features/drafts/unsaved";
import { emptyText, parseText, serializeText, textOf, type TextDocument } from "./textDocument";

export type TextStore = DraftStore<TextDocument>;

const lastKey = "voicewright.studio.draft";
/** Unsaved drafts of closed windows. */
export const unsaved = unsavedDrafts("voicewright.studio.unsaved");

export const lastDraft = (): string | null => localStorage.getItem(lastKey);
function rememberLast(id: string): void {
  try {
    localStorage.setItem(lastKey, id);
  } catch {
    // no storage: the newest draft is opened
  }
}

interface Options {
  api: DraftApi;
  untitled: string;
  copyOf(name: string): string;
}

/** Creates the store of the Studio's draft. The editor has its own undo. */
export function createTextStore({ api, untitled, copyOf }: Options): TextStore {
  const format: DocumentFormat<TextDocument> = {
    empty: emptyText,
    parse: (content) => (content.kind === "script" ? null : parseText(content)),
    serialize: serializeText,
    nameOf: (document, current) => (document.named && current ? current : nameOf(textOf(document), untitled)),
    copyOf,
    rename: (document, name) => ({ ...document, named: name.trim() !== "" }),
    isSame: (a, b) => textOf(a) === textOf(b),
  };
  return createDraftStore({ api, format, unsaved, remember: rememberLast });
}
