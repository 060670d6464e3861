import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { isAbort, toApiError, type ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { createStore, useStore } from "@/lib/store";

interface Move { running: boolean; error: ApiError | null }

const store = createStore<Move>({ running: false, error: null });
let abort: AbortController | null = null;

/** Moves the folder. The answer comes when everything has moved; how far it is stands in GET /models/directory. */
async function run(client: QueryClient, path: string): Promise<void> {
  abort = new AbortController();
  store.set({ running: true, error: null });
  const look = () => void client.invalidateQueries({ queryKey: keys.modelDirectory });
  const timer = setInterval(look, 700);
  try {
    await api.put("/models/directory", { body: { path }, signal: abort.signal });
    store.set({ running: false, error: null });
  } catch (thrown) {
    store.set({ running: false, error: isAbort(thrown) ? null : toApiError(thrown) });
  } finally {
    clearInterval(timer);
    void client.invalidateQueries({ queryKey: keys.models });
    void client.invalidateQueries({ queryKey: keys.system });
  }
}

/** The move that this window started. To stop it puts everything back: the server ends the work with the request. */
export function useMove() {
  const client = useQueryClient();
  const state = useStore(store);
  return { ...state, start: (path: string) => void run(client, path), stop: () => abort?.abort() };
}
