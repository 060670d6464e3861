import { useTranslation } from "react-i18next";
import { useModel } from "@/api/models";
import { useDownloadState } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import type { Model } from "@/api/types";
import { Button, Dialog } from "@/ui";
import { NeedModel } from "./NeedModel";

interface Props {
  /** What the model is needed for. */
  use: "check" | "transcribe";
  /** The model is installed now; it is called after onClose. */
  onReady(): void;
  /** The question is closed: answered, cancelled, or left while the model is downloaded. */
  onClose(): void;
}

function Question({ model, use, onReady, onClose }: Props & { model: Model }) {
  const { t } = useTranslation("picker");
  const format = useFormat();
  const { isRunning } = useDownloadState(model);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t(`need.${use}.title`)}
      footer={isRunning ? null : <Button onClick={onClose}>{t("common:cancel")}</Button>}
    >
      <NeedModel
        model={model}
        question={t(`need.${use}.question`, { model: model.display_name, size: format.megabytes(model.size_mb) })}
        onReady={() => {
          onClose();
          onReady();
        }}
      />
    </Dialog>
  );
}

/** The question before a transcription model is downloaded. Nothing is shown for null. */
export function ModelQuestion({ model: name, ...props }: Props & { model: string | null }) {
  const model = useModel(name ?? undefined);
  return model ? <Question model={model} {...props} /> : null;
}
