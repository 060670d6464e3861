import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, dataOf } from "@/api/client";
import { toApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { createStore, useStore } from "@/lib/store";
import { useErrorText } from "@/i18n/errors";
import { useToast, useUndo } from "@/ui";

/** One cancellation of a download; cancelling the same download again creates another, with its own undo bar. */
interface Cancelling {
  /** Resolves when the server has answered the pause. */ paused: Promise<void>;
}
type Cancelled = ReadonlyMap<string, Cancelling>;

/** Cancelled downloads that can still be undone: until then they are paused and keep their partial files. */
const cancelled = createStore<Cancelled>(new Map());

function mark(name: string, cancelling: Cancelling): void {
  cancelled.set((before) => new Map(before).set(name, cancelling));
}

/** Undoes a cancellation from any of its bars; further requests for the download must wait for the pause. */
function keep(name: string): Cancelling | undefined {
  const kept = cancelled.get().get(name);
  if (kept) cancelled.set((before) => new Map([...before].filter(([other]) => other !== name)));
  return kept;
}

export const useCancelled = (): Cancelled => useStore(cancelled);

/** Resets the state, for tests. */
export const clearCancelled = (): void => cancelled.set(new Map());

/** Cancels a download: in the UI at once, and permanently when the undo bar ends. `keep` undoes it from elsewhere. */
export function useCancelDownload() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const undo = useUndo();
  const toast = useToast();
  const words = useErrorText();
  const ask = async (name: string, action: "pause" | "resume" | "cancel") => {
    try {
      if (action === "pause") await dataOf(api.POST("/models/{name}/pause", { params: { path: { name } } }));
      else if (action === "resume") await dataOf(api.POST("/models/{name}/resume", { params: { path: { name } } }));
      else await dataOf(api.POST("/models/{name}/cancel", { params: { path: { name } }, keepalive: true }));
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code !== "not_in_progress") toast({ text: words(error).title }); // otherwise it has ended meanwhile
    }
    await client.invalidateQueries({ queryKey: keys.models });
  };
  const cancel = (name: string, title: string) => {
    if (cancelled.get().has(name)) return;
    const own: Cancelling = { paused: ask(name, "pause") };
    mark(name, own);
    // An older bar must not commit what a newer one still offers to undo.
    const isOwn = () => cancelled.get().get(name) === own;
    undo({
      text: t("jobs.cancelled", { name: title }),
      undo: () => void keep(name)?.paused.then(() => ask(name, "resume")),
      commit: () => {
        if (isOwn())
          void ask(name, "cancel").finally(() => {
            if (isOwn()) keep(name);
          });
      },
    });
  };
  return { cancel, keep };
}
