import { transcribersOf, useModels } from "@/api/models";
import { useFormat } from "@/i18n/format";
import { Select } from "@/ui";
import type { ControlProps } from "./controlProps";

/** The settings that name a model which transcribes. */
export const transcriberKeys: readonly string[] = ["speech.verify_model", "transcribe.model"];

/** A transcription model, with its size where it is not downloaded. */
export function TranscriberSelect({ value, label, onSet }: ControlProps) {
  const format = useFormat();
  const known = transcribersOf(useModels().data ?? []).map((model) => ({
    value: model.model_name,
    label: model.downloaded ? model.display_name : `${model.display_name} · ${format.megabytes(model.size_mb)}`,
  }));
  const choices = known.some((choice) => choice.value === value) ? known : [{ value, label: value }, ...known];
  return <Select className="w-56" label={label} hideLabel value={value} choices={choices} onChange={onSet} />;
}
