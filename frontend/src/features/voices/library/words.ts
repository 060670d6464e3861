import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { engineName } from "@/api/models";
import type { Model } from "@/api/types";
import { isBuiltInOffer } from "./builtIn";
import { bareVoice, type Share } from "./mix";
import type { Voice } from "./voice";

const named = (id: string): string => {
  const word = id.replace(/^[a-z]{2}_/, "");
  return word.charAt(0).toUpperCase() + word.slice(1);
};

/** Returns the name of a voice id among the known voices, else one derived from the id: af_heart is Heart. */
export function shareName(share: Share, voices: readonly Voice[]): string {
  const known = voices.find(
    ({ profile, shares }) =>
      shares.length === 0 && profile.preset_voice_id && bareVoice(profile.preset_voice_id) === share.voice,
  );
  return known?.name ?? named(share.voice);
}

/** Describes what a model is good for, in the texts of the page; the server's are English. */
function useNote(): (model: Model) => string {
  const { t, i18n } = useTranslation("models");
  return (model) => {
    const key =
      model.repo_id === "" ? "imported" : model.engine === "piper" ? `piper-${model.variant}` : model.model_name;
    if (i18n.exists(`models:notes.${key}`)) return t(`models:notes.${key}`);
    return i18n.language.startsWith("en") ? model.note : "";
  };
}

/** Returns the words that describe a voice. */
export function useVoiceWords() {
  const { t, i18n } = useTranslation("picker");
  const format = useFormat();
  const note = useNote();
  const quality = ({ engine, variant }: Model): string =>
    engine === "piper" && i18n.exists(`picker:quality.${variant}`) ? t(`quality.${variant}`) : "";
  const some = (words: readonly string[]): string => words.filter(Boolean).join(" · ");
  /** Returns gender and quality, as far as they are known. */
  const facts = ({ gender, model }: Voice): string =>
    some([gender ? t(`line.${gender}`) : "", model ? quality(model) : ""]);
  /** Returns the category of a hosted voice, which the service names in English. */
  const category = (name: string): string =>
    i18n.exists(`picker:category.${name}`) ? t(`category.${name}`) : name.charAt(0).toUpperCase() + name.slice(1);
  return {
    note,
    some,
    facts,
    category,
    /** Returns the engine of a voice, or the provider of a hosted one. */
    engine: ({ engine, hosted, choices = [] }: Voice): string =>
      hosted && choices.length > 1
        ? t("hosted.providers", { name: hosted.provider, count: choices.length - 1 })
        : (hosted?.provider ?? engineName(engine)),
    line(voice: Voice): string {
      const { profile, shares, state, model, access, hosted } = voice;
      if (access && access !== "on") return t(`hosted.${access}`);
      if (state === "locked") return t("hosted.locked");
      if (profile.voice_type === "cloned" && profile.samples === 0) return t("line.noSample");
      if (state === "unusable") return profile.reason || t("unsupported");
      if (profile.description) return profile.description;
      if (shares.length > 0)
        return t("mixOf", { parts: format.list(shares.map((s) => `${format.percent(s.part)} ${named(s.voice)}`)) });
      if (isBuiltInOffer(voice)) return some([facts(voice), t("line.builtIn")]);
      if (profile.voice_type === "default") return t("line.default");
      if (profile.voice_type === "cloned") return t("line.samples", { count: profile.samples });
      if (hosted) return some([facts(voice), category(hosted.category), hosted.accent]);
      return some([facts(voice), model?.voices === 1 ? note(model) : ""]) || t("line.preset");
    },
    languages({ languages }: Pick<Voice, "languages">): string {
      return languages.length === 1 ? format.language(languages[0] ?? "") : t("languages", { count: languages.length });
    },
  };
}
