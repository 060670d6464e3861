import { useTranslation } from "react-i18next";
import { toApiError, type ApiError } from "@/api/errors";
import {
  useDeleteModel,
  useDownloadModel,
  useFillModel,
  useLoadModel,
  usePauseModel,
  useResumeModel,
  useUnloadModel,
  useVerifyModel,
} from "@/api/models";
import type { Model } from "@/api/types";
import { useCancelDownload } from "@/features/downloads";
import { createStore, useStore } from "@/lib/store";
import { useToast } from "@/ui";
import { openDialog } from "./dialogs";

export type Deed = "download" | "pause" | "resume" | "cancel" | "load" | "unload" | "verify" | "delete" | "fill";
export interface Wish {
  deed: Deed;
  acceptLicense?: boolean;
  force?: boolean;
  path?: string;
}
/** What this window asked of a model and has no answer to, or what the answer refused. */
export interface Doing {
  wish: Wish;
  error: ApiError | null;
}

/** It outlives rows and screens: an answer that comes later still finds its row. */
export const doings = createStore<ReadonlyMap<string, Doing>>(new Map());

function note(name: string, doing: Doing | null): void {
  doings.set((before) => {
    const next = new Map(before);
    if (doing) next.set(name, doing);
    else next.delete(name);
    return next;
  });
}

export function useDoing(name: string): Doing | undefined {
  return useStore(doings).get(name);
}

/** Does something with a model; what goes wrong stays with its row until it is tried again or closed. */
export function useDeeds() {
  const { t } = useTranslation("models");
  const toast = useToast();
  const download = useDownloadModel().mutateAsync;
  const pause = usePauseModel().mutateAsync;
  const resume = useResumeModel().mutateAsync;
  const load = useLoadModel().mutateAsync;
  const unload = useUnloadModel().mutateAsync;
  const verify = useVerifyModel().mutateAsync;
  const remove = useDeleteModel().mutateAsync;
  const fill = useFillModel().mutateAsync;

  const { cancel, keep } = useCancelDownload();

  async function perform(name: string, wish: Wish): Promise<string | null> {
    const { deed, force = false, acceptLicense = false } = wish;
    switch (deed) {
      case "download":
        await download({ name, acceptLicense });
        return null;
      case "pause":
        await pause(name);
        return null;
      case "resume":
        await resume(name);
        return null;
      case "load":
        await load({ name, force, acceptLicense });
        return null;
      case "unload":
        await unload({ name, force });
        return null;
      case "delete":
        await remove({ name, force: true });
        return null;
      case "fill":
        await fill({ name, path: wish.path ?? "" });
        return null;
      case "cancel":
        return null; // start does it, as it can be taken back
      case "verify":
        return (await verify(name)).ok ? "whole" : null; // what is wrong comes with the status of the model
    }
  }

  async function run(model: Model, wish: Wish): Promise<boolean> {
    note(model.model_name, { wish, error: null });
    try {
      const said = await perform(model.model_name, wish);
      note(model.model_name, null);
      if (said) toast({ text: t("intact", { name: model.display_name }) });
      return true;
    } catch (thrown) {
      const error = toApiError(thrown);
      const asks = error.code === "license_not_accepted";
      note(model.model_name, asks ? null : { wish, error });
      if (asks) openDialog({ kind: "licence", model: model.model_name, deed: wish.deed });
      return false;
    }
  }

  /** As run, after the licence was accepted where it must be. */
  function start(model: Model, wish: Wish): void {
    if (wish.deed === "cancel") return cancel(model.model_name, model.display_name);
    const kept = keep(model.model_name);
    if (kept) return void kept.paused.then(() => run(model, { deed: "resume" }));
    const needs =
      (wish.deed === "download" || wish.deed === "load") && model.license.accept_required && !model.license.accepted;
    if (needs && !wish.acceptLicense) openDialog({ kind: "licence", model: model.model_name, deed: wish.deed });
    else void run(model, wish);
  }

  return { run, start, forget: (name: string) => note(name, null) };
}
