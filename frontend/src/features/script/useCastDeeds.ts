import { useTranslation } from "react-i18next";
import { useUndo } from "@/ui";
import type { CastDeeds } from "./Cast";
import { bringSpeakerBack, newSpeaker, removeSpeaker, type ScriptContent, type Speaker } from "./model";

type Change = (next: ScriptContent | ((before: ScriptContent) => ScriptContent)) => void;

export function useCastDeeds(script: ScriptContent, change: Change, chooseVoice: (id: string) => void): CastDeeds & { setVoice(id: string, profileId: string): void } {
  const { t } = useTranslation("script");
  const undo = useUndo();
  const edit = (id: string, part: Partial<Speaker>) => change((s) => ({ ...s, speakers: s.speakers.map((speaker) => (speaker.id === id ? { ...speaker, ...part } : speaker)) }));
  return {
    chooseVoice,
    rename: (id, name) => edit(id, { name }),
    setVoice: (id, profileId) => edit(id, { profileId }),
    add: () => change((s) => ({ ...s, speakers: [...s.speakers, newSpeaker(s.speakers, t("speakerN", { n: s.speakers.length + 1 }), s.speakers[0]?.profileId ?? "")] })),
    remove(speaker) {
      const before = script;
      change((s) => removeSpeaker(s, speaker.id));
      undo({ text: t("speakerRemoved", { name: speaker.name }), undo: () => change((s) => bringSpeakerBack(s, before, speaker)), commit: () => undefined });
    },
  };
}
