import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, Select, TextField } from "@/ui";
import { useTranscribers } from "../models";
import { useLanguageOptions, useModelChoices } from "../OptionsPanel";
import { anyLanguage, maxNames } from "../options";
import { secondsOfClock } from "../text/clock";
import { useRerun } from "../useRerun";
import type { Page } from "./usePage";

interface Props {
  page: Page;
  from: number;
  to: number;
  onClose(): void;
}

/** Transcribes a part again, with another model or language. */
export function RerunDialog({ page, from, to, onClose }: Props) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const { transcript } = page;
  const rerun = useRerun();
  const { models, chosen } = useTranscribers();
  const [start, setStart] = useState(format.clock(from));
  const [end, setEnd] = useState(format.clock(Math.ceil(to)));
  const [name, setName] = useState(
    models.some(({ model_name, downloaded }) => downloaded && model_name === transcript.model_name)
      ? transcript.model_name
      : (chosen?.model_name ?? transcript.model_name),
  );
  const model = models.find(({ model_name }) => model_name === name);
  const languages = useLanguageOptions()(model);
  const [language, setLanguage] = useState(transcript.language || anyLanguage);
  const [names, setNames] = useState(transcript.prompt ?? "");
  const known = languages.some(({ value }) => value === language) ? language : (languages[0]?.value ?? anyLanguage);
  const choicesOf = useModelChoices();
  // A typed time is in whole seconds; one that was not changed keeps its fraction.
  const first = start === format.clock(from) ? from : secondsOfClock(start);
  const last = end === format.clock(Math.ceil(to)) ? to : secondsOfClock(end);
  const isBadStart = first === null || first >= transcript.duration;
  const isBadEnd = last === null || (first !== null && last <= first);

  async function run() {
    if (isBadStart || isBadEnd) return;
    await page.editor.save(); // the new text must not be overwritten by changes of the old one
    const prompt = names.trim();
    const changed = prompt === (transcript.prompt ?? "") ? {} : { prompt };
    const part = {
      from: first,
      to: Math.min(last, transcript.duration),
      model_name: name,
      language: known,
      ...changed,
    };
    rerun.run({ id: transcript.id, part }).then(onClose, () => undefined); // the dialog shows the error
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("rerun.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" busy={rerun.isPending} disabled={isBadStart || isBadEnd} onClick={() => void run()}>
            {t("rerun.run")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {rerun.error ? <ErrorBox error={rerun.error} /> : null}
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={t("rerun.from")}
            value={start}
            onChange={setStart}
            error={isBadStart ? t("rerun.badTime") : undefined}
          />
          <TextField
            label={t("rerun.to")}
            value={end}
            onChange={setEnd}
            error={isBadEnd ? t("rerun.badEnd") : undefined}
          />
        </div>
        {models.length > 0 ? (
          <Select label={t("model")} value={name} choices={choicesOf(models)} onChange={setName} />
        ) : null}
        <Select
          label={t("language")}
          value={known}
          choices={languages}
          disabled={languages.length === 1}
          onChange={setLanguage}
        />
        <TextField
          label={t("names")}
          placeholder={t("namesExample")}
          hint={t("namesHint")}
          value={names}
          maxLength={maxNames}
          onChange={setNames}
        />
        <p className="text-12">{t("rerun.note")}</p>
      </div>
    </Dialog>
  );
}
