import { createStore } from "@/lib/store";

/** The text that the window's tray last asked to read aloud; `asked` counts the requests. */
export const clipboardText = createStore<{ text: string; asked: number } | null>(null);
