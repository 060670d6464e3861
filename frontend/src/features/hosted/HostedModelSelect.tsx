import { useTranslation } from "react-i18next";
import { useHostedModels, v3Model, type HostedVoice } from "@/api/hosted";
import { Select } from "@/ui";

interface Props {
  voice: Pick<HostedVoice, "provider" | "v3_hint">;
  value: string;
  onChange(model: string): void;
  /** In one line, without a visible label. */
  isInline?: boolean;
}

/** The models of the voice's provider, which alone can speak with it, and a hint where v3 changes the voice. */
export function HostedModelSelect({ voice, value, onChange, isInline = false }: Props) {
  const { t } = useTranslation("picker");
  const models = useHostedModels().data ?? [];
  const choices = models
    .filter(({ provider }) => provider === voice.provider)
    .map(({ id, name }) => ({ value: id, label: name }));
  if (!choices.some((choice) => choice.value === value)) choices.unshift({ value, label: value });
  const hint = value === v3Model && voice.v3_hint ? t("hosted.v3Hint") : "";
  return (
    <div className={isInline ? "flex flex-wrap items-center gap-2 text-12 text-ink-2" : ""}>
      <Select
        label={t("hosted.model")}
        hideLabel={isInline}
        value={value}
        choices={choices}
        onChange={onChange}
        {...(hint && !isInline ? { hint } : {})}
      />
      {hint && isInline ? <span className="min-w-0 flex-1">{hint}</span> : null}
    </div>
  );
}
