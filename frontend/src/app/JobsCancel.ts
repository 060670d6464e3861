import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api } from "@/api/client";
import { toApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { createStore, useStore } from "@/lib/store";
import { useErrorText } from "@/i18n/errors";
import { useToast, useUndo } from "@/ui";

/** Downloads that the person cancelled and may still take back: they are paused until then, and keep what they have. */
const cancelled = createStore<ReadonlySet<string>>(new Set());

function mark(name: string, on: boolean): void {
  cancelled.set((before) => {
    const next = new Set(before);
    if (on) next.add(name);
    else next.delete(name);
    return next;
  });
}

export const useCancelled = (): ReadonlySet<string> => useStore(cancelled);

/** Begins anew, for tests. */
export const clearCancelled = (): void => cancelled.set(new Set());

/** Cancels a download: at once for the eye, and for good when the undo bar ends. `keep` takes it back from elsewhere. */
export function useCancelDownload() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const undo = useUndo();
  const toast = useToast();
  const words = useErrorText();
  const ask = async (name: string, deed: "pause" | "resume" | "cancel") => {
    try {
      if (deed === "pause") await api.post("/models/{name}/pause", { path: { name } });
      else if (deed === "resume") await api.post("/models/{name}/resume", { path: { name } });
      else await api.post("/models/{name}/cancel", { path: { name }, keepalive: true });
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code !== "not_in_progress") toast({ text: words(error).title }); // else it ended by itself meanwhile
    }
    await client.invalidateQueries({ queryKey: keys.models });
  };
  const keep = (name: string) => mark(name, false);
  const cancel = (name: string, title: string) => {
    if (cancelled.get().has(name)) return;
    mark(name, true);
    const paused = ask(name, "pause");
    undo({
      text: t("jobs.cancelled", { name: title }),
      undo: () => {
        keep(name);
        void paused.then(() => ask(name, "resume"));
      },
      commit: () => {
        if (cancelled.get().has(name)) void ask(name, "cancel").finally(() => keep(name));
      },
    });
  };
  return { cancel, keep };
}
