import { useTranslation } from "react-i18next";
import { useRecording } from "@/api/recordings";
import { useFormat } from "@/i18n/format";
import { href } from "@/lib/router";

/** While the microphone is open, every screen shows it, and leads to where it is stopped. */
export function RecordingMark() {
  const { t } = useTranslation();
  const format = useFormat();
  const recording = useRecording();
  if (recording?.status !== "recording") return null;
  return (
    <a className="k-btn hover:no-underline" data-kind="quiet" data-size="small" href={href("transcribe")}>
      <span className="size-2.5 flex-none rounded-full bg-danger" aria-hidden />
      {t("jobs.recording", { time: format.clock(recording.seconds) })}
    </a>
  );
}
