import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { bareVoice, type Share } from "./mix";
import type { Voice } from "./voice";

const named = (id: string): string => {
  const word = id.replace(/^[a-z]{2}_/, "");
  return word.charAt(0).toUpperCase() + word.slice(1);
};

/** The name of a voice id among the known voices, else made from the id: af_heart is Heart. */
export function shareName(share: Share, voices: readonly Voice[]): string {
  const known = voices.find(({ profile, shares }) => shares.length === 0 && profile.preset_voice_id && bareVoice(profile.preset_voice_id) === share.voice);
  return known?.profile.name ?? named(share.voice);
}

/** The words that say something about a voice. */
export function useVoiceWords() {
  const { t } = useTranslation("picker");
  const format = useFormat();
  return {
    line({ profile, shares, gender, state }: Voice): string {
      if (state === "unusable") return profile.reason || t("cannotSpeak");
      if (profile.description) return profile.description;
      if (shares.length > 0) return t("mixOf", { parts: format.list(shares.map((s) => `${format.percent(s.part)} ${named(s.voice)}`)) });
      if (profile.voice_type === "default") return t("line.default");
      return gender ? t(`line.${gender}`) : t("line.preset");
    },
    languages({ languages }: Pick<Voice, "languages">): string {
      return languages.length === 1 ? format.language(languages[0] ?? "") : t("languages", { count: languages.length });
    },
  };
}
