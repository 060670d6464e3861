import { useTranslation } from "react-i18next";
import { useSystem } from "@/api/system";
import type { SystemInfo } from "@/api/types";
import { deviceName, deviceParts } from "@/i18n/deviceName";
import { toProblem, useErrorText } from "@/i18n/errors";
import { Select } from "@/ui";
import type { ControlProps } from "./controlProps";

/** The settings of the devices on which models run. */
export const deviceKeys: readonly string[] = ["speech.device", "transcribe.device"];

type Choice = SystemInfo["device_choices"][number];

/** The graphics cards that a setting can name on this system; undefined until the program has said it. */
function useChoices(key: string): readonly Choice[] | undefined {
  const family = key === "speech.device" ? "speech" : "transcription";
  return useSystem().data?.device_choices.filter((choice) => choice.family === family);
}

/** Metal is what Core ML is called where the graphics of a Mac are named by their interface. */
const kindOf = (device: string) => (device === "metal" ? "coreml" : deviceParts(device).kind);

/** The processor, automatic, and the graphics cards of this system; one that cannot be used is marked, as is one of another system. */
export function DeviceSelect({ info, value, label, onSet }: ControlProps) {
  const { t } = useTranslation("settings");
  const choices = useChoices(info.key);
  const values = ["auto", "cpu", ...(choices ?? []).map((choice) => choice.device)];
  const all = values.includes(value) ? values : [...values, value];
  const named = (device: string): string => {
    const words = t(`values.${info.key}.${kindOf(device)}`, { defaultValue: deviceName(device) });
    return deviceParts(device).number > 0 ? `${words}, ${deviceName(device)}` : words;
  };
  const marked = (device: string): string => {
    if (device === "auto" || device === "cpu" || !choices) return named(device);
    const choice = choices.find((one) => one.device === kindOf(device));
    if (!choice) return t("deviceElsewhere", { device: named(device) });
    return choice.available === false ? t("deviceUnusable", { device: named(device) }) : named(device);
  };
  return (
    <Select
      className="w-56"
      label={label}
      hideLabel
      value={value}
      choices={all.map((device) => ({ value: device, label: marked(device) }))}
      onChange={onSet}
    />
  );
}

/** Why graphics cards of this system cannot be used. */
export function DeviceReasons({ name }: { name: string }) {
  const { t } = useTranslation("settings");
  const words = useErrorText();
  const choices = (useChoices(name) ?? []).filter((choice) => choice.available !== true);
  if (choices.length === 0) return null;
  const titled = (choice: Choice) => ({ ...choice, title: t(`values.${name}.${choice.device}`) });
  return (
    <ul className="mt-2 grid gap-1 text-12 text-ink-3">
      {choices.map(titled).map((choice) => (
        <li key={choice.device}>
          {choice.reason
            ? `${choice.title}: ${words(toProblem(choice.reason)).title}`
            : t("deviceUntried", { device: choice.title })}
        </li>
      ))}
    </ul>
  );
}
