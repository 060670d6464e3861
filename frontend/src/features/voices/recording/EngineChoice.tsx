import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import type { Model, SampleModel } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { NeedModel } from "@/features/picker";
import { RadioGroup } from "@/ui";
import { baseLanguage } from "../library";

const clones = (model: SampleModel, language: string): boolean =>
  model.languages.some((tag) => baseLanguage(tag) === baseLanguage(language));

const isAble = (model: SampleModel, language: string): boolean => model.problem === null && clones(model, language);

/** Returns the chosen model while it can use the sample, else the best of the others: downloaded, then one that fits. */
export function chooseModel(models: readonly SampleModel[], language: string, chosen: string): SampleModel | undefined {
  const able = models.filter((model) => isAble(model, language));
  return (
    able.find((model) => model.model_name === chosen) ??
    able.find((model) => model.downloaded) ??
    able.find((model) => model.fits !== "no") ??
    able[0]
  );
}

/** Returns what a model does badly in a language: a text of the page where one exists, else the server's. */
function useLanguageNote() {
  const { t, i18n } = useTranslation("models");
  return (model: Model, language: string): string => {
    const base = baseLanguage(language);
    const [, note = ""] = Object.entries(model.language_notes).find(([tag]) => baseLanguage(tag) === base) ?? [];
    const key = `${model.model_name}.${base}`;
    return note && i18n.exists(`models:languageNotes.${key}`) ? t(`languageNotes.${key}`) : note;
  };
}

/** Describes what a model needs before it can speak with the voice, and what it does badly. */
function useNeeds(models: readonly Model[], language: string) {
  const { t } = useTranslation(["samples", "models"]);
  const format = useFormat();
  const note = useLanguageNote();
  return (option: SampleModel): string[] => {
    const model = models.find((one) => one.model_name === option.model_name);
    // The options are as old as the check of the recording, and a model may have been downloaded or deleted since.
    const { downloaded, size_mb, fits } = model ?? option;
    const size = size_mb > 0 ? format.megabytes(size_mb) : t("models:sizeUnknown");
    return [
      option.problem?.detail ?? "",
      downloaded ? t("engine.ready") : t("engine.missing", { size }),
      !downloaded && fits === "no" ? t("engine.memory") : "",
      model?.license.name ? t("engine.licence", { licence: model.license.name }) : "",
      model ? note(model, language) : "",
    ].filter(Boolean);
  };
}

interface Props {
  options: readonly SampleModel[];
  language: string;
  chosen: SampleModel | undefined;
  onChange(name: string): void;
}

/** The models that can speak with the voice, each with what it needs first. */
export function EngineChoice({ options, language, chosen, onChange }: Props) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const models = useModels().data ?? [];
  const needs = useNeeds(models, language);
  const listed = options
    .filter((option) => clones(option, language))
    .sort((a, b) => Number(b.downloaded) - Number(a.downloaded));
  const model = models.find((one) => one.model_name === chosen?.model_name);
  return (
    <div className="grid gap-3">
      <RadioGroup
        label={t("engine.label")}
        value={chosen?.model_name ?? null}
        onChange={onChange}
        choices={listed.map((option) => ({
          value: option.model_name,
          label: option.display_name,
          detail: needs(option).join(" · "),
          disabled: option.problem !== null,
        }))}
        error={chosen ? null : t("engine.none", { language: format.language(language) })}
      />
      {model && !model.downloaded ? (
        <NeedModel
          key={model.model_name}
          model={model}
          question={t("engine.download", { model: model.display_name })}
          onReady={() => undefined}
        />
      ) : null}
    </div>
  );
}
