import { useTranslation } from "react-i18next";
import { useToast } from "@/ui";
import type { CastActions } from "./Cast";
import { restoreSpeaker, newSpeaker, removeSpeaker, type ScriptContent, type Speaker } from "./model";

type Change = (next: (before: ScriptContent) => ScriptContent) => void;

export function useCastActions(
  script: ScriptContent,
  change: Change,
  chooseVoice: (id: string) => void,
): CastActions & { setVoice(id: string, profileId: string): void } {
  const { t } = useTranslation("script");
  const toast = useToast();
  const edit = (id: string, part: Partial<Speaker>) =>
    change((s) => ({
      ...s,
      speakers: s.speakers.map((speaker) => (speaker.id === id ? { ...speaker, ...part } : speaker)),
    }));
  return {
    chooseVoice,
    rename: (id, name) => edit(id, { name }),
    setVoice: (id, profileId) => edit(id, { profileId }),
    add: () =>
      change((s) => ({
        ...s,
        speakers: [
          ...s.speakers,
          newSpeaker(s.speakers, t("speakerN", { n: s.speakers.length + 1 }), s.speakers[0]?.profileId ?? ""),
        ],
      })),
    remove(speaker) {
      const before = script;
      change((s) => removeSpeaker(s, speaker.id));
      toast({
        text: t("speakerRemoved", { name: speaker.name }),
        action: { label: t("common:undo"), run: () => change((s) => restoreSpeaker(s, before, speaker)) },
      });
    },
  };
}
