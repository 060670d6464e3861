import { Sparkles } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isAbort, toApiError, type ApiError } from "@/api/errors";
import { useModels } from "@/api/models";
import { checkSample } from "@/api/samples";
import { Button, ErrorBox, TextArea } from "@/ui";
import { PlayPart } from "./TrimStep";
import type { SoundState } from "./useSound";

/** Reports whether an installed model can write down what is said. */
export const useCanListen = (): boolean =>
  (useModels().data ?? []).some((model) => model.family === "transcription" && model.supported && model.downloaded);

interface Props {
  sound: SoundState;
  language: string;
  transcript: string;
  onChange(transcript: string): void;
}

/** The third step, which may be skipped: what is said in the recording. */
export function TranscriptStep({ sound, language, transcript, onChange }: Props) {
  const { t } = useTranslation("samples");
  const canListen = useCanListen();
  const [isWriting, setWriting] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const request = useRef<AbortController | null>(null);
  useEffect(() => () => request.current?.abort(), []);
  async function write(): Promise<void> {
    if (!sound.sound || !sound.part) return;
    const own = new AbortController();
    request.current = own;
    setWriting(true);
    setError(null);
    try {
      onChange((await checkSample({ sound: sound.sound, part: sound.part, transcribe: true }, own.signal)).transcript);
    } catch (thrown) {
      if (!isAbort(thrown)) setError(toApiError(thrown));
    }
    setWriting(false);
  }
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t("transcript.hint")}</p>
      <TextArea
        label={t("transcript.label")}
        lang={language}
        dir="auto"
        rows={4}
        maxLength={4000}
        value={transcript}
        onChange={onChange}
        {...(canListen ? {} : { hint: t("transcript.noModel") })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <PlayPart sound={sound} />
        {canListen ? (
          <Button icon={<Sparkles size={16} aria-hidden />} busy={isWriting} onClick={() => void write()}>
            {t(isWriting ? "transcript.writing" : "transcript.write")}
          </Button>
        ) : null}
        {isWriting ? (
          <Button kind="quiet" onClick={() => request.current?.abort()}>
            {t("common:stop")}
          </Button>
        ) : null}
      </div>
      {error ? <ErrorBox error={error} /> : null}
    </div>
  );
}
