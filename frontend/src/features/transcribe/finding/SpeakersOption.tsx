import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { ModelDownload } from "../ModelDownload";
import { useSpeakersModel } from "../models";
import { setOptions, useOptions } from "../options";
import { needsModel, speakerModes } from "./choice";
import { SpeakersFields } from "./SpeakersFields";

/** How the speakers of the next files are found. The model is downloaded only by its button. */
export function SpeakersOption() {
  const { t } = useTranslation("finding");
  const format = useFormat();
  const { speakers } = useOptions();
  const model = useSpeakersModel();
  if (!model) return null;
  return (
    <>
      <SpeakersFields
        value={speakers}
        modes={speakerModes}
        onChange={(changes) => setOptions({ speakers: { ...speakers, ...changes } })}
      />
      {model.downloaded || !needsModel(speakers.mode) ? null : (
        <div className="grid gap-2" role="group" aria-label={model.display_name}>
          <p className="text-12 text-ink-2">{t("needsModel", { size: format.megabytes(model.size_mb) })}</p>
          <ModelDownload model={model} />
        </div>
      )}
    </>
  );
}
