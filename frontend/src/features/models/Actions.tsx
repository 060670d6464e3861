import { X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, useFocusOnRemoval } from "@/ui";
import { useModelActions } from "./modelActions";
import { MainButton, type MainActionProps } from "./MainButton";
import { isFetching, mainAction } from "./phase";

/** The main button, and next to it Cancel during a download. */
export function Actions(props: MainActionProps) {
  const { model, phase } = props;
  const { t } = useTranslation("models");
  const { start } = useModelActions();
  const buttons = useRef<HTMLDivElement>(null);
  const cancel = useFocusOnRemoval(buttons);
  const cancels = isFetching(phase, model) && mainAction(phase, model) !== "cancel";
  return (
    <div ref={buttons} className="flex min-w-0 flex-1 gap-1">
      <MainButton {...props} className="flex-1" />
      {cancels ? (
        <IconButton
          ref={cancel}
          label={t("actionOn", { action: t("action.cancelDownload"), name: model.display_name })}
          icon={<X size={14} />}
          onClick={() => start(model, { action: "cancel" })}
        />
      ) : null}
    </div>
  );
}
