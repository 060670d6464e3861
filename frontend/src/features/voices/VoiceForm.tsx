import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import { useUpdateProfile } from "@/api/profiles";
import type { Profile, ProfileChanges } from "@/api/types";
import { mixId, parseMix, shareName, speaks, type Voice } from "./library";
import { useFormat } from "@/i18n/format";
import { ErrorBox, Select, Slider, TextArea, TextField } from "@/ui";
import { useLanguageChoices } from "./languages";

/** A text that is saved on blur or Enter; an empty or refused one can be corrected. */
function useText(saved: string, save: (text: string, drop: () => void) => void) {
  const [text, setText] = useState<string | null>(null);
  /** Shows the saved text again. */
  const drop = () => setText(null);
  return {
    value: text ?? saved,
    onChange: setText,
    drop,
    onBlur: () => {
      if (text !== null && text.trim() !== saved) save(text.trim(), drop);
      else setText(null);
    },
  };
}

/** The value of a slider: the saved one, else the chosen one until it is saved. */
function useChosen(saved: number): [number, (value: number) => void] {
  const [chosen, setChosen] = useState<number | null>(null);
  if (chosen === saved) setChosen(null);
  return [chosen ?? saved, setChosen];
}

function Mixture({
  profile,
  voices,
  save,
}: {
  profile: Profile;
  voices: readonly Voice[];
  save(changes: ProfileChanges): void;
}) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const shares = parseMix(profile.preset_voice_id ?? "");
  const [first, second] = shares;
  const [shown, setShown] = useChosen(Math.round((first?.part ?? 0) * 100) / 100);
  if (!first || !second || shares.length > 2) return null;
  const words = {
    first: shareName(first, voices),
    firstPart: format.percent(shown),
    second: shareName(second, voices),
    secondPart: format.percent(1 - shown),
  };
  return (
    <Slider
      label={t("new.share")}
      value={shown}
      min={0.05}
      max={0.95}
      step={0.05}
      text={t("mixText", words)}
      onChange={setShown}
      onCommit={(value) => save({ preset_voice_id: mixId(first.voice, second.voice, value) })}
    />
  );
}

function Speed({ profile, save }: { profile: Profile; save(changes: ProfileChanges): void }) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const [shown, setShown] = useChosen(profile.speed);
  return (
    <Slider
      label={t("speed")}
      value={shown}
      min={0.5}
      max={2}
      step={0.05}
      text={`${format.number(shown, { maximumFractionDigits: 2 })}×`}
      onChange={setShown}
      onCommit={(value) => save({ speed: value })}
    />
  );
}

/** The model that speaks a cloned voice: one of those that clone its language. */
function CloningModel({ voice, save }: { voice: Voice; save(changes: ProfileChanges): void }) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const models = useModels().data ?? [];
  const { profile, model } = voice;
  const able = models.filter(
    (one) => one.cloning && one.supported && (speaks(one, profile.language) || one.model_name === profile.model_name),
  );
  const auto = model ? t("autoModelNamed", { model: model.display_name }) : t("autoModel");
  return (
    <Select
      label={t("facts.model")}
      value={profile.model_name ?? ""}
      choices={[
        { value: "", label: profile.model_name ? t("autoModel") : auto },
        ...able.map((one) => ({
          value: one.model_name,
          label: one.downloaded ? one.display_name : `${one.display_name} · ${format.megabytes(one.size_mb)}`,
        })),
      ]}
      onChange={(name) => save({ model_name: name })}
    />
  );
}

/** The editable fields of a voice; each change is saved at once. */
export function VoiceForm({ voice, voices }: { voice: Voice; voices: readonly Voice[] }) {
  const { t } = useTranslation("voices");
  const { profile } = voice;
  const update = useUpdateProfile();
  const save = (changes: ProfileChanges, after?: () => void) =>
    update.mutate({ id: profile.id, changes }, after ? { onSuccess: after } : {});
  const name = useText(voice.name, (text, drop) => {
    if (text) save({ name: text }, drop);
  });
  const description = useText(profile.description, (text, drop) => save({ description: text }, drop));
  const languages = useLanguageChoices(profile.language);
  const sent = update.variables?.changes;
  const nameError =
    name.value.trim() === "" ? t("nameEmpty") : update.error?.code === "name_taken" ? t("nameTaken") : null;
  return (
    <section className="grid grid-cols-1 gap-4 wrap-anywhere" aria-label={t("edit")}>
      <TextField
        label={t("name")}
        maxLength={100}
        value={name.value}
        onChange={(text) => {
          if (update.error) update.reset();
          name.onChange(text);
        }}
        onBlur={name.onBlur}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") name.drop();
        }}
        {...(nameError ? { error: nameError } : {})}
      />
      <TextArea
        label={t("description")}
        rows={2}
        maxLength={2000}
        placeholder={t("descriptionHint")}
        value={description.value}
        onChange={description.onChange}
        onBlur={description.onBlur}
      />
      <Select
        label={t("language")}
        value={sent?.language && update.isPending ? sent.language : profile.language}
        choices={languages}
        onChange={(language) => save({ language })}
      />
      {profile.voice_type === "cloned" ? <CloningModel voice={voice} save={save} /> : null}
      <Speed profile={profile} save={save} />
      <Mixture profile={profile} voices={voices} save={save} />
      {update.error && !nameError ? <ErrorBox error={update.error} /> : null}
    </section>
  );
}
