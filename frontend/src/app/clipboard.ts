import { createStore } from "@/lib/store";

/** What the window asked for last: to read a text aloud, or to say that the desktop refused its shortcut. `asked` counts. */
export interface ClipboardRequest {
  kind: "read" | "refused";
  /** The text, or the keys of the shortcut. */
  text: string;
  asked: number;
}

const store = createStore<ClipboardRequest | null>(null);

export const clipboard = {
  ...store,
  ask: (kind: ClipboardRequest["kind"], text = ""): void =>
    store.set((before) => ({ kind, text, asked: (before?.asked ?? 0) + 1 })),
};
