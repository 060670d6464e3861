import { Download } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { transcriptFormats, useTranscript } from "@/api/transcriptions";
import { Button, Dialog, RadioGroup, Switch } from "@/ui";
import { useTranscriptActions } from "../list/useTranscriptActions";
import { askForExport, useExportQuestion, type ExportTarget } from "../state";
import { hasTimesChoice, setExportChoice, useExportChoice } from "./choice";

const close = () => askForExport(null);

function Options({ target }: { target: ExportTarget }) {
  const { t } = useTranslation("transcribe");
  const id = useId();
  const actions = useTranscriptActions();
  const transcript = useTranscript(target.id).data;
  const noSpeakers = transcript !== undefined && transcript.speakers.length === 0;
  const [choice, setChoice] = useState(useExportChoice());
  const isReady = choice.format !== "rttm" || !noSpeakers;
  return (
    <div className="grid gap-4">
      <form
        id={`${id}-form`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          setExportChoice(choice);
          close();
          actions.save(target, { ...choice, times: choice.times || !hasTimesChoice(choice.format) });
        }}
      >
        <RadioGroup
          label={t("common:export.format")}
          value={choice.format}
          choices={transcriptFormats.map((format) => ({
            value: format,
            label: t(`formats.${format}`),
            detail: t(format === "rttm" && noSpeakers ? "noSpeakersToExport" : `formatHints.${format}`),
            disabled: format === "rttm" && noSpeakers,
          }))}
          onChange={(format) => setChoice({ ...choice, format })}
        />
      </form>
      {hasTimesChoice(choice.format) ? (
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <p>{t("withTimes")}</p>
            <p id={id} className="text-12 text-ink-3">
              {t("withTimesHint")}
            </p>
          </div>
          <Switch
            label={t("withTimes")}
            aria-describedby={id}
            checked={choice.times}
            onChange={(times) => setChoice({ ...choice, times })}
          />
        </div>
      ) : null}
      <Button
        type="submit"
        form={`${id}-form`}
        kind="primary"
        className="justify-self-end"
        disabled={!isReady}
        icon={<Download size={16} aria-hidden />}
      >
        {t("common:export.as", { format: choice.format.toUpperCase() })}
      </Button>
    </div>
  );
}

/** The format in which a transcript is exported, whichever part of the screen offered it. */
export function ExportDialog() {
  const { t } = useTranslation("transcribe");
  const target = useExportQuestion();
  return (
    <Dialog open={target !== null} onOpenChange={close} title={t("exportTitle")} width={440}>
      {target ? <Options key={target.id} target={target} /> : null}
    </Dialog>
  );
}
