import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { IconButton } from "@/ui";
import { useDeeds, type Doing } from "./deeds";
import { MainButton } from "./MainButton";
import { isFetching, mainAction, type Phase } from "./phase";

interface Props {
  model: Model;
  phase: Phase;
  doing: Doing | undefined;
  failed: boolean;
}

/** The main button, and beside it a way to cancel while a download goes on. */
export function Actions({ model, phase, doing, failed }: Props) {
  const { t } = useTranslation("models");
  const { start } = useDeeds();
  const cancels = isFetching(phase, model) && mainAction(phase, model) !== "cancel";
  return (
    <div className="flex min-w-0 flex-1 gap-1">
      <MainButton model={model} phase={phase} doing={doing} failed={failed} className="flex-1" />
      {cancels ? (
        <IconButton
          label={t("actionOn", { action: t("action.cancelDownload"), name: model.display_name })}
          icon={<X size={14} />}
          onClick={() => start(model, { deed: "cancel" })}
        />
      ) : null}
    </div>
  );
}
