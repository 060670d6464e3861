import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { IconButton } from "@/ui";
import { useModelActions, type ActionState } from "./modelActions";
import { MainButton } from "./MainButton";
import { isFetching, mainAction, type Phase } from "./phase";

interface Props {
  model: Model;
  phase: Phase;
  actionState: ActionState | undefined;
  failed: boolean;
}

/** The main button, and next to it Cancel during a download. */
export function Actions({ model, phase, actionState, failed }: Props) {
  const { t } = useTranslation("models");
  const { start } = useModelActions();
  const cancels = isFetching(phase, model) && mainAction(phase, model) !== "cancel";
  return (
    <div className="flex min-w-0 flex-1 gap-1">
      <MainButton model={model} phase={phase} actionState={actionState} failed={failed} className="flex-1" />
      {cancels ? (
        <IconButton
          label={t("actionOn", { action: t("action.cancelDownload"), name: model.display_name })}
          icon={<X size={14} />}
          onClick={() => start(model, { action: "cancel" })}
        />
      ) : null}
    </div>
  );
}
