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
import type { ActionRequest } from "./action";
import { openDialog } from "./dialogs";

/** A request of this window that is pending, or has failed with `error`. */
export interface ActionState {
  request: ActionRequest;
  error: ApiError | null;
}

/** Stored outside the rows, so that a response that arrives after a change of screens is still shown. */
export const actionStates = createStore<ReadonlyMap<string, ActionState>>(new Map());

function setActionState(name: string, actionState: ActionState | null): void {
  actionStates.set((before) => {
    const next = new Map(before);
    if (actionState) next.set(name, actionState);
    else next.delete(name);
    return next;
  });
}

export function useActionState(name: string): ActionState | undefined {
  return useStore(actionStates).get(name);
}

/** The actions on models; an error is shown in the row until the next try or until it is dismissed. */
export function useModelActions() {
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

  async function perform(name: string, request: ActionRequest): Promise<string | null> {
    const { action, force = false, acceptLicense = false } = request;
    switch (action) {
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
        await fill({ name, path: request.path ?? "" });
        return null;
      case "cancel":
        return null; // handled by start, because it can be undone
      case "verify":
        return (await verify(name)).ok ? "intact" : null; // problems arrive with the status of the model
    }
  }

  async function run(model: Model, request: ActionRequest): Promise<boolean> {
    setActionState(model.model_name, { request, error: null });
    try {
      const result = await perform(model.model_name, request);
      setActionState(model.model_name, null);
      if (result) toast({ text: t("intact", { name: model.display_name }) });
      return true;
    } catch (thrown) {
      const error = toApiError(thrown);
      const asks = error.code === "license_not_accepted";
      setActionState(model.model_name, asks ? null : { request, error });
      if (asks) openDialog({ kind: "licence", model: model.model_name, action: request.action });
      return false;
    }
  }

  /** Like run, but first asks the person to accept the licence where that is required. */
  function start(model: Model, request: ActionRequest): void {
    if (request.action === "cancel") return cancel(model.model_name, model.display_name);
    const kept = keep(model.model_name);
    if (kept) return void kept.paused.then(() => run(model, { action: "resume" }));
    const needs =
      (request.action === "download" || request.action === "load") &&
      model.license.accept_required &&
      !model.license.accepted;
    if (needs && !request.acceptLicense)
      openDialog({ kind: "licence", model: model.model_name, action: request.action });
    else void run(model, request);
  }

  return { run, start, forget: (name: string) => setActionState(name, null) };
}
