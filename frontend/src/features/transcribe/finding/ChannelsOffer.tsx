import { AudioLines, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Transcript } from "@/api/types";
import { Button, IconButton, useToast } from "@/ui";
import { useOptions } from "../options";
import { answerChannels, useChannelsAnswered } from "./channelOffers";
import { useFindSpeakers } from "./useFindSpeakers";

interface Props {
  transcript: Transcript;
  /** Undoes the newest change of the transcript. */
  onUndo(): void;
}

/** Offers the channels of a stereo recording as its speakers, where each of them has one; until that is answered. */
export function ChannelsOffer({ transcript, onUndo }: Props) {
  const { t } = useTranslation("finding");
  const toast = useToast();
  const { find, isPending } = useFindSpeakers();
  const { speakers } = useOptions();
  const isAnswered = useChannelsAnswered(transcript.id);
  const isOffered = transcript.channels?.separate === true && transcript.status === "complete";
  if (!isOffered || isAnswered || speakers.mode === "channels") return null;
  async function run() {
    if (!(await find(transcript.id, { mode: "channels" }))) return;
    answerChannels(transcript.id);
    toast({ text: t("channels.done"), action: { label: t("common:undo"), run: onUndo } });
  }
  return (
    <div className="tr-note" role="status">
      <AudioLines size={16} className="flex-none text-ink-3" aria-hidden />
      <p className="min-w-40 flex-1 text-ink-2">{t("channels.offer")}</p>
      <Button size="small" busy={isPending} onClick={() => void run()}>
        {t("channels.run")}
      </Button>
      <IconButton label={t("channels.dismiss")} icon={<X size={14} />} onClick={() => answerChannels(transcript.id)} />
    </div>
  );
}
