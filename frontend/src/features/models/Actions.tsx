import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui";
import { useModelActions } from "./modelActions";
import { MainButton, type MainActionProps } from "./MainButton";
import { isFetching, mainAction } from "./phase";

/** The main button, and next to it Cancel during a download. */
export function Actions(props: MainActionProps) {
  const { model, phase } = props;
  const { t } = useTranslation("models");
  const { start } = useModelActions();
  const cancels = isFetching(phase, model) && mainAction(phase, model) !== "cancel";
  return (
    <div className="flex min-w-0 flex-1 gap-1">
      <MainButton {...props} className="flex-1" />
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
