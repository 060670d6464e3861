import { useTranslation } from "react-i18next";
import { longestSample, type Part, type Sound } from "@/api/samples";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox } from "@/ui";
import type { SoundState } from "./useSound";

export interface SoundActions {
  /** Replaces the recording; without a part the speech in it is used. */
  onUse(sound: Sound, part?: Part): void;
  onChooseFile(): void;
}

/** Why a recording can't be used, with the way out as a button. */
export function RejectedSound({ sound, onUse, onChooseFile }: SoundActions & { sound: SoundState }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const { error, sound: source } = sound;
  if (!error || !source) return null;
  const isAboutSound = ["sample_rejected", "unsupported_media", "recording_not_found", "audio_missing"].includes(
    error.code,
  );
  const isTooLong = error.code === "sample_rejected" && error.params.reason === "too_long";
  const isTrimmed = sound.part !== null;
  return (
    <ErrorBox
      error={error}
      action={
        <span className="flex flex-wrap gap-2">
          {isTooLong ? (
            <Button autoFocus size="small" onClick={() => onUse(source, { from: 0, to: longestSample })}>
              {t("rejected.shorten", { time: format.duration(longestSample) })}
            </Button>
          ) : null}
          {isTrimmed && isAboutSound ? (
            <Button size="small" onClick={() => onUse(source)}>
              {t("rejected.reset")}
            </Button>
          ) : null}
          {!isAboutSound ? (
            <Button autoFocus size="small" onClick={() => onUse(source, sound.part ?? undefined)}>
              {t("common:retry")}
            </Button>
          ) : null}
          {!isTrimmed && source.kind === "recording" ? (
            <Button autoFocus={!isTooLong} size="small" onClick={sound.clear}>
              {t("rejected.record")}
            </Button>
          ) : null}
          {!isTrimmed && source.kind === "file" ? (
            <Button autoFocus={!isTooLong} size="small" onClick={onChooseFile}>
              {t("rejected.choose")}
            </Button>
          ) : null}
        </span>
      }
    />
  );
}
