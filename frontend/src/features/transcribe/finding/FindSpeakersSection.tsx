import { Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFindingSpeakers } from "@/api/liveTranscripts";
import type { Transcript } from "@/api/types";
import { Button, useToast } from "@/ui";
import { askForSpeakers } from "../state";
import { useFindSpeakers } from "./useFindSpeakers";

interface Props {
  transcript: Transcript;
  /** Undoes the newest change of the transcript. */
  onUndo(): void;
}

/** Finds the speakers of a complete transcript, finds them again with another number, or removes those that were found. */
export function FindSpeakersSection({ transcript, onUndo }: Props) {
  const { t } = useTranslation("finding");
  const toast = useToast();
  const { find, isPending } = useFindSpeakers();
  const isFinding = useFindingSpeakers(transcript) !== null;
  const isFound = transcript.segments.some(({ speaker_found }) => speaker_found);
  async function remove() {
    const isRemoved = await find(transcript.id, { mode: "off" });
    if (isRemoved) toast({ text: t("removed"), action: { label: t("common:undo"), run: onUndo } });
  }
  return (
    <section aria-label={t("title")}>
      <h3 className="mb-2 text-12 font-medium text-ink-2">{t("title")}</h3>
      <p className="text-12 text-ink-3">{t(isFound ? "aboutFound" : "about")}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<Users size={14} aria-hidden />}
          disabled={isFinding}
          onClick={() => askForSpeakers({ id: transcript.id })}
        >
          {t(isFound ? "openAgain" : "open")}
        </Button>
        {isFound ? (
          <Button size="small" kind="quiet" busy={isPending} disabled={isFinding} onClick={() => void remove()}>
            {t("remove")}
          </Button>
        ) : null}
      </div>
    </section>
  );
}
