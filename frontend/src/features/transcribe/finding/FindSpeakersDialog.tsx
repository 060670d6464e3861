import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTranscript } from "@/api/transcriptions";
import type { Transcript } from "@/api/types";
import { DownloadsOff, useDownloadsOff } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox } from "@/ui";
import { useSpeakersModel } from "../models";
import { useOptions } from "../options";
import { askForSpeakers, useSpeakersQuestion } from "../state";
import { needsModel, speakersRequest, type SpeakersChoice } from "./choice";
import { SpeakersFields } from "./SpeakersFields";
import { useFindSpeakers } from "./useFindSpeakers";

const close = () => askForSpeakers(null);

/** Returns the choice that the dialog begins with: the options, and the number of speakers that there are. */
function firstChoice(options: SpeakersChoice, transcript: Transcript | undefined): SpeakersChoice {
  const found = transcript?.speakers.length ?? 0;
  return { ...options, mode: found > 0 ? "number" : "auto", count: found > 0 ? found : options.count };
}

function Question({ id }: { id: string }) {
  const { t } = useTranslation("finding");
  const format = useFormat();
  const { speakers } = useOptions();
  const transcript = useTranscript(id).data;
  const model = useSpeakersModel();
  const off = useDownloadsOff();
  const { find, isPending } = useFindSpeakers();
  const [changes, setChanges] = useState<Partial<SpeakersChoice>>({});
  const choice = { ...firstChoice(speakers, transcript), ...changes }; // from the list, the transcript is read meanwhile
  const [isValid, setValid] = useState(true);
  const isAgain = (transcript?.speakers.length ?? 0) > 0;
  const isMissing = transcript?.audio_missing === true;
  const toDownload = model && !model.downloaded && needsModel(choice.mode) ? format.megabytes(model.size_mb) : null;
  const isReady = isValid && !isMissing && (toDownload === null || off === null);
  async function run() {
    if (!isReady) return;
    await find(id, speakersRequest(choice));
    close();
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title={t(isAgain ? "titleAgain" : "title")}
      footer={
        <>
          <Button onClick={close}>{t("common:cancel")}</Button>
          <Button kind="primary" busy={isPending} disabled={!isReady} onClick={() => void run()}>
            {toDownload === null ? t("run") : t("downloadAndRun", { size: toDownload })}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {isMissing ? (
          <ErrorBox error={null} words={{ title: t("audioMissing.title"), remedy: t("audioMissing.remedy") }} />
        ) : null}
        <SpeakersFields
          value={choice}
          modes={transcript?.channels ? ["auto", "number", "channels"] : ["auto", "number"]}
          onChange={(next) => setChanges({ ...changes, ...next })}
          onValid={setValid}
        />
        {toDownload === null ? null : off === null ? (
          <p>{t("downloadsFirst", { size: toDownload })}</p>
        ) : (
          <DownloadsOff reason={off} />
        )}
        <p className="text-12 text-ink-2">{t(isAgain ? "noteAgain" : "note")}</p>
        <button type="submit" hidden disabled={!isReady} />
      </form>
    </Dialog>
  );
}

/** How the speakers of a transcript are to be found, whichever part of the screen offered it. */
export function FindSpeakersDialog() {
  const question = useSpeakersQuestion();
  return question ? <Question key={question.id} id={question.id} /> : null;
}
