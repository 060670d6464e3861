import { useTranslation } from "react-i18next";
import { useProfiles } from "@/api/profiles";
import type { Profile } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Select, type Choice } from "@/ui";
import type { ControlProps } from "./controlProps";

/** The built-in engine speaks these everywhere; the value is the language instead of a voice. */
const builtIn: readonly (readonly [string, string])[] = [
  ["espeak:en-us", "en-US"],
  ["espeak:en-gb", "en-GB"],
  ["espeak:de", "de"],
  ["espeak:fr", "fr"],
  ["espeak:es", "es"],
  ["espeak:it", "it"],
  ["espeak:pt-br", "pt-BR"],
  ["espeak:nl", "nl"],
  ["espeak:pl", "pl"],
  ["espeak:sv", "sv"],
  ["espeak:tr", "tr"],
  ["espeak:uk", "uk"],
];

function valueOf(profile: Profile): string | null {
  const model = profile.model_name ?? profile.preset_engine;
  return profile.voice_type === "preset" && model && profile.preset_voice_id
    ? `${model}:${profile.preset_voice_id}`
    : null;
}

/** The voice for texts without one: the built-in one by language, and all existing voices. */
export function VoiceSelect({ value, label, onSet }: ControlProps) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const profiles = useProfiles({}).items;
  const own = profiles.flatMap((profile): Choice[] => {
    const voice = valueOf(profile);
    return voice && profile.usable
      ? [{ value: voice, label: `${profile.name}, ${format.language(profile.language)}`, group: t("voices.yours") }]
      : [];
  });
  const known: Choice[] = [
    ...own,
    ...builtIn.map(([voice, tag]) => ({
      value: voice,
      label: t("voices.builtInOf", { language: format.language(tag) }),
      group: t("voices.builtIn"),
    })),
  ];
  const unique = known.filter((choice, i) => known.findIndex((c) => c.value === choice.value) === i);
  const choices = unique.some((choice) => choice.value === value) ? unique : [{ value, label: value }, ...unique];
  return <Select className="w-56" label={label} hideLabel value={value} choices={choices} onChange={onSet} />;
}
