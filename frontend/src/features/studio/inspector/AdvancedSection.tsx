import { audioFormats } from "@/api/formats";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Fold, Select, TextField } from "@/ui";
import type { Choices, TextDocument } from "../drafts/textDocument";
import { SwitchRow } from "./SwitchRow";

interface NumberProps {
  label: string;
  value: number | null;
  min: number;
  max: number;
  placeholder: string;
  hint?: string;
  onChange(value: number | null): void;
}

/** A whole number within limits; empty uses the program's default. */
function NumberField({ value, min, max, onChange, ...remaining }: NumberProps) {
  const { t } = useTranslation("studio");
  const [wrong, setWrong] = useState<string | null>(null);
  function typed(text: string) {
    const number = Number(text);
    const fits = text.trim() === "" || (Number.isInteger(number) && number >= min && number <= max);
    setWrong(fits ? null : text);
    if (fits) onChange(text.trim() === "" ? null : number);
  }
  return (
    <TextField
      {...remaining}
      inputMode="numeric"
      value={wrong ?? (value === null ? "" : String(value))}
      onChange={typed}
      {...(wrong === null ? {} : { error: t("advanced.range", { min, max }) })}
    />
  );
}

interface Props {
  document: TextDocument;
  hasSteps: boolean;
  change(part: Partial<Choices>): void;
}

export function AdvancedSection({ document, hasSteps, change }: Props) {
  const { t } = useTranslation("studio");
  const formats = audioFormats.map((value) => ({
    value,
    label: value.toUpperCase(),
  }));
  return (
    <section>
      <Fold title={t("advanced.title")}>
        <div className="mt-3 grid gap-4">
          <Select
            label={t("advanced.format")}
            value={document.format}
            choices={formats}
            onChange={(value) => change({ format: value })}
          />
          <SwitchRow
            label={t("advanced.normalize")}
            hint={t("advanced.normalizeHint")}
            checked={document.normalize}
            onChange={(normalize) => change({ normalize })}
          />
          {document.normalize ? (
            <SwitchRow
              label={t("advanced.limit")}
              hint={t("advanced.limitHint")}
              checked={document.limit}
              onChange={(limit) => change({ limit })}
            />
          ) : null}
          <NumberField
            label={t("advanced.chunk")}
            min={50}
            max={5000}
            value={document.max_chunk_chars}
            placeholder={t("advanced.auto")}
            hint={t("advanced.chunkHint")}
            onChange={(max_chunk_chars) => change({ max_chunk_chars })}
          />
          <NumberField
            label={t("advanced.crossfade")}
            min={0}
            max={500}
            value={document.crossfade_ms}
            placeholder={t("advanced.auto")}
            onChange={(crossfade_ms) => change({ crossfade_ms })}
          />
          {hasSteps ? (
            <NumberField
              label={t("advanced.steps")}
              min={1}
              max={100}
              value={document.steps}
              placeholder={t("advanced.auto")}
              hint={t("advanced.stepsHint")}
              onChange={(steps) => change({ steps })}
            />
          ) : null}
        </div>
      </Fold>
    </section>
  );
}
