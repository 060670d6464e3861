import { Download, FileInput, Pause, Play, RotateCcw, X, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { useDownloadsOff } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui";
import type { ActionRequest } from "./action";
import { useModelActions, type ActionState } from "./modelActions";
import { openDialog } from "./dialogs";
import { mainAction, type MainAction, type Phase } from "./phase";

const icons: Partial<Record<MainAction, LucideIcon>> = {
  download: Download,
  pause: Pause,
  resume: Play,
  continue: Play,
  retry: RotateCcw,
  cancel: X,
  importAgain: FileInput,
};

/** Sends the request of the button; a retry repeats the one that failed. */
function requestOf(action: Exclude<MainAction, "importAgain">, actionState: ActionState | undefined): ActionRequest {
  if (action === "retry") return actionState?.error ? actionState.request : { action: "download" };
  return { action: action === "continue" ? "download" : action };
}

export interface MainActionProps {
  model: Model;
  phase: Phase;
  actionState: ActionState | undefined;
  failed: boolean;
}

/** Returns the main action of a model, which depends on the state; null while it is busy and cannot be stopped. */
export function useMainAction({ model, phase, actionState, failed }: MainActionProps) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const { start } = useModelActions();
  const downloadsOff = useDownloadsOff();
  const meant = mainAction(phase, model);
  const action = failed && meant !== "importAgain" ? "retry" : meant;
  if (!action) return null;
  const fetches = action !== "importAgain" && ["download", "resume"].includes(requestOf(action, actionState).action);
  const sized = action === "download" && model.size_mb > 0;
  return {
    action,
    label: sized ? t("action.downloadSize", { size: format.megabytes(model.size_mb) }) : t(`action.${action}`),
    Icon: icons[action],
    /** Why it cannot run now, null where it can. */
    off: fetches ? downloadsOff : null,
    isBusy: actionState !== undefined && actionState.error === null,
    run: () =>
      action === "importAgain"
        ? openDialog({ kind: "add", again: model.model_name })
        : start(model, requestOf(action, actionState)),
  };
}

/** The main button of a model. */
export function MainButton({ className = "", ...props }: MainActionProps & { className?: string }) {
  const { t } = useTranslation("models");
  const main = useMainAction(props);
  if (!main)
    return (
      <Button size="small" className={className} busy>
        {t(`state.${props.phase}`)}
      </Button>
    );
  const { label, Icon, isBusy, off, run } = main;
  return (
    <Button
      size="small"
      className={className}
      icon={Icon ? <Icon size={14} aria-hidden /> : undefined}
      busy={isBusy}
      aria-label={t("actionOn", { action: label, name: props.model.display_name })}
      unavailable={off}
      onClick={run}
    >
      {label}
    </Button>
  );
}
