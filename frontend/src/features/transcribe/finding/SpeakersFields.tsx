import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Select, TextField } from "@/ui";
import { countOf, maxSpeakers, type SpeakersChoice } from "./choice";

interface CountProps {
  label: string;
  hint: string;
  value: number;
  /** The typed number; null while it is invalid. */
  onChange(count: number | null): void;
}

function CountField({ label, hint, value, onChange }: CountProps) {
  const { t } = useTranslation("finding");
  const [typed, setTyped] = useState(String(value));
  return (
    <TextField
      label={label}
      hint={hint}
      type="number"
      inputMode="numeric"
      min={1}
      max={maxSpeakers}
      value={typed}
      error={countOf(typed) === null ? t("badCount", { max: maxSpeakers }) : undefined}
      onChange={(text) => {
        setTyped(text);
        onChange(countOf(text));
      }}
    />
  );
}

interface Props {
  value: SpeakersChoice;
  modes: readonly SpeakersChoice["mode"][];
  onChange(changes: Partial<SpeakersChoice>): void;
  /** Whether the number that was typed is one that the server takes. */
  onValid?(isValid: boolean): void;
}

/** How speakers are found, and how many. An invalid number changes nothing. */
export function SpeakersFields({ value, modes, onChange, onValid }: Props) {
  const { t } = useTranslation("finding");
  const field = (name: "atMost" | "count") => (
    <CountField
      key={name}
      label={t(`${name}.label`)}
      hint={t(`${name}.hint`)}
      value={value[name]}
      onChange={(number) => {
        onValid?.(number !== null);
        if (number !== null) onChange({ [name]: number });
      }}
    />
  );
  return (
    <>
      <Select
        label={t("speakers")}
        value={value.mode}
        choices={modes.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))}
        hint={value.mode === "off" || value.mode === "channels" ? t(`${value.mode}Hint`) : undefined}
        onChange={(mode) => {
          onValid?.(true); // the number of another mode is valid until it is typed anew
          onChange({ mode });
        }}
      />
      {value.mode === "auto" ? field("atMost") : value.mode === "number" ? field("count") : null}
    </>
  );
}
