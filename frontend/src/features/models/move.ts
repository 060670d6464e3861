import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { isAbort, toApiError, type ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { useTranslation } from "react-i18next";
import { createStore, useStore } from "@/lib/store";
import { useFormat } from "@/i18n/format";
import type { ErrorWords } from "@/i18n/errors";
import { useModelErrorText } from "./words";

interface Move {
  running: boolean;
  error: ApiError | null;
}

const store = createStore<Move>({ running: false, error: null });
let abort: AbortController | null = null;

/** Moves the folder; true when it has. The answer comes when everything has moved; how far it is stands in GET /models/directory. */
async function run(client: QueryClient, path: string): Promise<boolean> {
  abort = new AbortController();
  store.set({ running: true, error: null });
  const look = () => void client.invalidateQueries({ queryKey: keys.modelDirectory });
  const timer = setInterval(look, 700);
  try {
    await dataOf(api.PUT("/models/directory", { body: { path }, signal: abort.signal }));
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

/** The move that this window started. To stop it puts everything back: the server ends the work with the request. */
export function useMove() {
  const client = useQueryClient();
  const state = useStore(store);
  return {
    ...state,
    start: (path: string) => run(client, path),
    stop: () => abort?.abort(),
    forget: () => store.set((before) => ({ ...before, error: null })),
  };
}

/** Why a move cannot be, in words of its own: they are about the new folder, not about the one in use. */
export function useMoveErrorText(): (error: ApiError | null) => ErrorWords {
  const { t, i18n } = useTranslation("models");
  const format = useFormat();
  const general = useModelErrorText();
  return (error) => {
    if (!error) return { title: "", remedy: "" };
    const { needed, free } = error.params;
    const reason = error.fields[0]?.type ?? error.code;
    if (reason === "insufficient_disk" && (typeof needed !== "number" || typeof free !== "number"))
      return general(error);
    if (!i18n.exists(`models:move.refused.${reason}.title`)) return general(error);
    const params = { needed: format.bytes(Number(needed)), free: format.bytes(Number(free)) };
    return { title: t(`move.refused.${reason}.title`, params), remedy: t(`move.refused.${reason}.remedy`, params) };
  };
}
