import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { isAbort, toApiError, type ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { createStore, useStore } from "@/lib/store";
import { useErrorText, type ErrorWords } from "@/i18n/errors";
import { useModelErrorText } from "./words";

interface Move {
  running: boolean;
  error: ApiError | null;
}

const store = createStore<Move>({ running: false, error: null });
let abort: AbortController | null = null;

/** Moves the models, or adopts those that are in the folder; true on success. The response comes at the end; GET /models/directory reports the progress. */
async function run(client: QueryClient, path: string, adopt: boolean): Promise<boolean> {
  abort = new AbortController();
  store.set({ running: true, error: null });
  const look = () => void client.invalidateQueries({ queryKey: keys.modelDirectory });
  const timer = setInterval(look, 700);
  try {
    await dataOf(api.PUT("/models/directory", { body: adopt ? { path, adopt } : { path }, signal: abort.signal }));
    store.set({ running: false, error: null });
    return true;
  } catch (thrown) {
    store.set({ running: false, error: isAbort(thrown) ? null : toApiError(thrown) });
    return false;
  } finally {
    clearInterval(timer);
    void client.invalidateQueries({ queryKey: keys.models });
    void client.invalidateQueries({ queryKey: keys.system });
  }
}

/** The move that this window started. Aborting its request makes the server stop and restore everything. */
export function useMove() {
  const client = useQueryClient();
  const state = useStore(store);
  return {
    ...state,
    start: (path: string) => run(client, path, false),
    adopt: (path: string) => run(client, path, true),
    stop: () => abort?.abort(),
    forget: () => store.set((before) => ({ ...before, error: null })),
  };
}

/** Reports whether the folder of a refused move can be adopted. */
export const isAdoptable = (error: ApiError | null): boolean => error?.field("path")?.ctx?.adopt === true;

/** Returns the text of a move's error, which is about the new folder and not about the current one. */
export function useMoveErrorText(): (error: ApiError | null) => ErrorWords {
  const textOf = useModelErrorText();
  const ofMoves = useErrorText(["models:move.refused", "models:errors"]);
  return (error) => {
    if (!error) return { title: "", remedy: "" };
    const reason = error.fields[0]?.type;
    const { title, remedy } = textOf(error);
    return ofMoves({ code: reason ?? error.code, params: error.params, detail: title, remedy });
  };
}
