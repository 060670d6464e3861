import { useTranslation } from "react-i18next";
import { type Voice } from "./library";
import { useFormat } from "@/i18n/format";
import { Select, Slider } from "@/ui";
import { findVoice, mixable, type Draft } from "./draft";

/** Two voices of one model and the share of each. */
export function MixFields({
  draft,
  voices,
  change,
}: {
  draft: Draft;
  voices: readonly Voice[];
  change(part: Partial<Draft>): void;
}) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const first = findVoice(voices, draft.first)?.profile;
  const second = findVoice(voices, draft.second)?.profile;
  const choicesOf = (list: Voice[], other: string) => [
    { value: "", label: t("new.choose") },
    ...list
      .filter((voice) => voice.profile.id !== other)
      .map(({ profile, name }) => ({ value: profile.id, label: name }))
      .sort((a, b) => a.label.localeCompare(b.label)),
  ];
  const text =
    first && second
      ? t("mixText", {
          first: first.name,
          firstPart: format.percent(draft.part),
          second: second.name,
          secondPart: format.percent(1 - draft.part),
        })
      : format.percent(draft.part);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          autoFocus
          label={t("new.first")}
          value={draft.first}
          choices={choicesOf(mixable(voices), draft.second)}
          onChange={(id) =>
            change({
              first: id,
              ...(findVoice(voices, id)?.profile.model_name !== second?.model_name ? { second: "" } : {}),
            })
          }
        />
        <Select
          label={t("new.second")}
          value={draft.second}
          choices={choicesOf(mixable(voices, first ? (first.model_name ?? "") : undefined), draft.first)}
          onChange={(id) => change({ second: id })}
        />
      </div>
      <Slider
        label={t("new.share")}
        value={draft.part}
        min={0.05}
        max={0.95}
        step={0.05}
        text={text}
        onChange={(part) => change({ part })}
        disabled={!first || !second}
      />
    </div>
  );
}
