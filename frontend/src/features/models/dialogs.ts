import { createStore, useStore } from "@/lib/store";
import type { ModelAction } from "./action";

/** The open dialog of the screen; models are named by id, so that the dialog follows changes of the list. */
export type OpenDialog =
  | { kind: "licence"; model: string; action: ModelAction | null }
  | { kind: "delete"; model: string }
  | { kind: "fill"; model: string }
  | {
      kind: "add";
      /** An imported model without its files: imported again under its name, its voices work again. */ again?: string;
    }
  | { kind: "move" };

const store = createStore<OpenDialog | null>(null);

export const openDialog = (dialog: OpenDialog): void => store.set(dialog);
export const closeDialog = (): void => store.set(null);
/** Closes the dialog of this kind, for work that may end while another one is open. */
export const closeDialogOf = (kind: OpenDialog["kind"]): void =>
  store.set((open) => (open?.kind === kind ? null : open));
export const useDialog = (): OpenDialog | null => useStore(store);
