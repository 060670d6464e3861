import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCreateProfile } from "@/api/profiles";
import type { Model, Profile } from "@/api/types";
import { type Voice } from "./library";
import { useDownloadsOff } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, SegmentedControl, Select, TextArea, TextField } from "@/ui";
import { findVoice, mixable, newDraft, presetChoices, toProfile, type Draft, type Source } from "./draft";
import { useLanguageChoices } from "./languages";
import { MixFields } from "./MixFields";

interface Props {
  source: Source;
  voices: readonly Voice[];
  models: readonly Model[];
  onClose(): void;
  onMade(profile: Profile): void;
  /** Opens the picker with the hosted voices. */
  onHosted(): void;
  onRecording(): void;
}

function SourceFields({
  draft,
  voices,
  models,
  change,
}: {
  draft: Draft;
  voices: readonly Voice[];
  models: readonly Model[];
  change(part: Partial<Draft>): void;
}) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const off = useDownloadsOff();
  if (draft.source === "default") return <p className="text-12 text-ink-2">{t("new.defaultHint")}</p>;
  if (draft.source === "mix") return <MixFields draft={draft} voices={voices} change={change} />;
  const choices = presetChoices(voices, off === null ? models : models.filter((model) => model.downloaded), {
    notHere: t("new.notDownloaded"),
    size: (model) => format.megabytes(model.size_mb),
  });
  const notHere = draft.preset.startsWith("model:");
  return (
    <Select
      autoFocus
      label={t("new.voice")}
      value={draft.preset}
      choices={[{ value: "", label: t("new.choose") }, ...choices]}
      onChange={(preset) => change({ preset })}
      {...(notHere ? { hint: t("new.notDownloadedHint") } : {})}
    />
  );
}

/** The suggested name until one is typed. */
function useOfferedName(draft: Draft, voices: readonly Voice[]): string {
  const { t } = useTranslation("voices");
  const names = [draft.first, draft.second].map((id) => findVoice(voices, id)?.profile.name);
  if (draft.source === "mix" && names[0] && names[1]) return t("new.mixName", { first: names[0], second: names[1] });
  return "";
}

export function NewVoice({ source, voices, models, onClose, onMade, onHosted, onRecording }: Props) {
  const { t, i18n } = useTranslation("voices");
  const form = useId();
  const create = useCreateProfile();
  const [draft, setDraft] = useState<Draft>(() => newDraft(source));
  const change = (part: Partial<Draft>) => {
    create.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const offered = useOfferedName(draft, voices);
  const language =
    draft.language ||
    findVoice(voices, draft.source === "mix" ? draft.first : draft.preset.slice(6))?.profile.language ||
    (draft.source === "default" ? i18n.language : "");
  const languages = useLanguageChoices(language);
  const body = toProfile({ ...draft, name: draft.name || offered }, voices, i18n.language);
  const taken = create.error?.code === "name_taken";
  const sources: { value: Source | "hosted"; label: string }[] = [
    { value: "recording", label: t("new.recording") },
    { value: "preset", label: t("new.preset") },
    ...(mixable(voices).length > 1 ? [{ value: "mix" as const, label: t("new.mix") }] : []),
    { value: "default", label: t("new.default") },
    { value: "hosted", label: t("new.hosted") },
  ];

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("new.title")}
      width={560}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" form={form} disabled={body === null} busy={create.isPending}>
            {t("new.create")}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4 text-ink"
        onSubmit={(event) => {
          event.preventDefault();
          if (body && !create.isPending) create.mutate(body, { onSuccess: onMade });
        }}
      >
        <SegmentedControl
          label={t("new.source")}
          value={draft.source}
          segments={sources}
          wide
          onChange={(next) =>
            next === "hosted" ? onHosted() : next === "recording" ? onRecording() : change({ source: next })
          }
        />
        <SourceFields draft={draft} voices={voices} models={models} change={change} />
        <TextField
          label={t("name")}
          value={draft.name}
          maxLength={100}
          placeholder={offered}
          onChange={(name) => change({ name })}
          {...(taken ? { error: t("nameTaken") } : {})}
        />
        <TextArea
          label={t("description")}
          value={draft.description}
          maxLength={2000}
          rows={2}
          placeholder={t("descriptionHint")}
          onChange={(description) => change({ description })}
        />
        <Select
          label={t("language")}
          value={language}
          choices={language ? languages : [{ value: "", label: t("new.languageOfVoice") }, ...languages]}
          onChange={(next) => change({ language: next })}
        />
        {create.error && !taken ? <ErrorBox error={create.error} /> : null}
      </form>
    </Dialog>
  );
}
