import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, dataOf } from "@/api/client";
import { toApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { createStore, useStore } from "@/lib/store";
import { useErrorText } from "@/i18n/errors";
import { useToast, useUndo } from "@/ui";

/** One cancelling of a download; the next one of the same download is another, with a bar of its own. */
interface Cancelling {
  /** Settles when the server has answered the pause. */ paused: Promise<void>;
}
type Cancelled = ReadonlyMap<string, Cancelling>;

/** Downloads that the person cancelled and may still take back: they are paused until then, and keep what they have. */
const cancelled = createStore<Cancelled>(new Map());

function mark(name: string, cancelling: Cancelling): void {
  cancelled.set((before) => new Map(before).set(name, cancelling));
}

/** Takes a cancelling back, whichever bar it has; only after the pause may anything else be asked of the download. */
function keep(name: string): Cancelling | undefined {
  const kept = cancelled.get().get(name);
  if (kept) cancelled.set((before) => new Map([...before].filter(([other]) => other !== name)));
  return kept;
}

export const useCancelled = (): Cancelled => useStore(cancelled);

/** Begins anew, for tests. */
export const clearCancelled = (): void => cancelled.set(new Map());

/** Cancels a download: at once for the eye, and for good when the undo bar ends. `keep` takes it back from elsewhere. */
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
      if (error.code !== "not_in_progress") toast({ text: words(error).title }); // else it ended by itself meanwhile
    }
    await client.invalidateQueries({ queryKey: keys.models });
  };
  const cancel = (name: string, title: string) => {
    if (cancelled.get().has(name)) return;
    const own: Cancelling = { paused: ask(name, "pause") };
    mark(name, own);
    const isOwn = () => cancelled.get().get(name) === own; // an older bar must not end what a newer one still offers to take back
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
