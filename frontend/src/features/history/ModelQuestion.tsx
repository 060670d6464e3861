import { useTranslation } from "react-i18next";
import { useModel } from "@/api/models";
import { NeedModel } from "@/features/picker";
import { useFormat } from "@/i18n/format";
import { Dialog } from "@/ui";
import { setModelNeed, setProblem, useModelNeed } from "./state";
import { useCheck } from "./useCheck";

/** Asks before the model that checks speech is downloaded, and checks once it is there. */
export function ModelQuestion() {
  const { t } = useTranslation("history");
  const format = useFormat();
  const need = useModelNeed();
  const model = useModel(need?.model);
  const { check } = useCheck();
  if (!need || !model) return null;
  const close = () => setModelNeed(null);
  const begin = () => {
    close();
    check(need.ids).catch(setProblem);
  };
  const size = format.megabytes(model.size_mb);
  return (
    <Dialog open onOpenChange={close} title={t("verify.need.title")}>
      <NeedModel
        model={model}
        question={t("verify.need.question", { model: model.display_name, size })}
        onReady={begin}
      />
    </Dialog>
  );
}
