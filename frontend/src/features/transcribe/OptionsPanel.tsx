import { SlidersVertical } from "lucide-react";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { languageChoices, useFormat } from "@/i18n/format";
import { Button, Popover, Select, Switch, TextField, type Choice } from "@/ui";
import { SpeakersOption } from "./finding/SpeakersOption";
import { firstModel, useTranscribers } from "./models";
import { anyLanguage, maxNames, setOptions, useOptions } from "./options";

/** Returns the models as choices: those on this machine first, each with its size and whether it fits. */
export function useModelChoices(): (models: readonly Model[]) => Choice[] {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  return (models) =>
    [...models]
      .sort((a, b) => Number(b.downloaded) - Number(a.downloaded))
      .map((model) => ({
        value: model.model_name,
        group: t(model.downloaded ? "installed" : "notInstalled"),
        label: [
          model.display_name,
          ...(model.size_mb > 0 ? [format.megabytes(model.size_mb)] : []),
          ...(model.fits === "unknown" ? [] : [t(`fits.${model.fits}`)]),
        ].join(" · "),
      }));
}

/** Returns the languages of a model as choices; a model of one language has no choice. */
export function useLanguageOptions(): (model: Model | undefined) => Choice[] {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  return (model) => {
    const known = languageChoices(model?.languages ?? [], format.language);
    return known.length === 1 ? known : [{ value: anyLanguage, label: t("detect") }, ...known];
  };
}

function SwitchRow({
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  label: string;
  hint: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange(on: boolean): void;
}) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <p>{label}</p>
        <p id={id} className="text-12 text-ink-3">
          {hint}
        </p>
      </div>
      <Switch label={label} aria-describedby={id} checked={checked} disabled={disabled} onChange={onChange} />
    </div>
  );
}

/** The model and the options for the next files. */
function Fields() {
  const { t } = useTranslation("transcribe");
  const options = useOptions();
  const { models, chosen } = useTranscribers();
  const choicesOf = useModelChoices();
  const known = chosen ?? firstModel(models); // what is offered as the first model, while none is chosen
  const languages = useLanguageOptions()(known);
  const onlyOne = known?.languages.length === 1;
  return (
    <>
      {models.length > 0 ? (
        <Select
          label={t("model")}
          value={chosen?.model_name ?? ""}
          choices={[...(chosen ? [] : [{ value: "", label: t("noModel") }]), ...choicesOf(models)]}
          hint={chosen && !chosen.downloaded ? t("downloadsFirst") : undefined}
          onChange={(model) => setOptions({ model })}
        />
      ) : null}
      <Select
        label={t("language")}
        value={onlyOne ? (languages[0]?.value ?? anyLanguage) : options.language}
        choices={languages}
        disabled={onlyOne}
        onChange={(language) => setOptions({ language })}
      />
      <TextField
        label={t("names")}
        placeholder={t("namesExample")}
        hint={t("namesHint")}
        value={options.names}
        maxLength={maxNames}
        onChange={(names) => setOptions({ names })}
      />
      <SpeakersOption />
      <Select
        label={t("parts.label")}
        value={options.parts}
        choices={(["sound", "speech", "all"] as const).map((value) => ({ value, label: t(`parts.${value}`) }))}
        hint={t(`partsHint.${options.parts}`)}
        onChange={(parts) => setOptions({ parts })}
      />
      <SwitchRow
        label={t("words")}
        hint={t("wordsHint")}
        checked={options.words}
        onChange={(words) => setOptions({ words })}
      />
      <SwitchRow
        label={t("translate")}
        hint={t(onlyOne ? "translateOff" : "translateHint")}
        checked={options.translate && !onlyOne}
        disabled={onlyOne}
        onChange={(translate) => setOptions({ translate })}
      />
    </>
  );
}

export function OptionsPanel() {
  const { t } = useTranslation("transcribe");
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button aria-label={t("options")} icon={<SlidersVertical size={16} aria-hidden />}>
          <span className="@max-[860px]/main:hidden">{t("options")}</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="k-float tr-options"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("nextFiles")}
        >
          <h2 className="font-semibold">{t("nextFiles")}</h2>
          <Fields />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
