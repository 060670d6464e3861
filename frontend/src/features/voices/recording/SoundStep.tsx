import { FolderOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useRecording } from "@/api/recordings";
import { Button, Select } from "@/ui";
import { useLanguageChoices } from "../languages";
import { Recorder } from "./Recorder";
import { RejectedSound, type SoundActions } from "./RejectedSound";
import type { SoundState } from "./useSound";

interface Props extends SoundActions {
  sound: SoundState;
  language: string;
  onLanguage(language: string): void;
}

/** The first step: where the voice comes from. */
export function SoundStep({ sound, language, onLanguage, ...actions }: Props) {
  const { t } = useTranslation("samples");
  const isRecording = useRecording() !== null;
  const languages = useLanguageChoices(language);
  if (sound.error) return <RejectedSound sound={sound} {...actions} />;
  if (sound.isChecking) return null; // the frame of the waveform says so
  return (
    <div className="grid gap-4">
      {sound.check ? <p>{t("sound.replace")}</p> : <p className="text-ink-2">{t("sound.hint")}</p>}
      {isRecording ? null : (
        <div className="flex flex-wrap items-end gap-3">
          <Select
            className="min-w-48 flex-1"
            label={t("sound.language")}
            value={language}
            choices={languages}
            onChange={onLanguage}
          />
          <Button icon={<FolderOpen size={16} aria-hidden />} onClick={actions.onChooseFile}>
            {t("sound.choose")}
          </Button>
        </div>
      )}
      <Recorder language={language} onRecorded={actions.onUse} />
    </div>
  );
}
