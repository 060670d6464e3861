import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { api, dataOf } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { useSettings } from "@/api/settings";
import type { ModelVoice, Profile } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { baseLanguage } from "./language";
import { builtIn, type Voice } from "./voice";

interface BuiltInVoices {
  voices: ModelVoice[];
  variants: ModelVoice[];
}

/** The variants of voices whose language is not that of the page: a woman and a man. */
const few = ["+f3", "+m3"];

function useBuiltInVoices(enabled = true): BuiltInVoices | undefined {
  return useQuery<BuiltInVoices, ApiError>({
    queryKey: keys.builtInVoices,
    enabled,
    staleTime: ({ state }) => (state.data?.voices.length ? Infinity : 0), // those of the installed espeak-ng
    queryFn: ({ signal }) => dataOf(api.GET("/voices/built-in", { signal })),
  }).data;
}

/** Reports whether espeak-ng is missing, without which the built-in voices and those of several models cannot speak. */
export const useEspeakMissing = (enabled = true): boolean => useBuiltInVoices(enabled)?.voices.length === 0;

/**
 * Returns the name of a voice in the language of the page: that of its language, with the accent that only the engine names: of
 * (America, New York City) the city.
 */
function nameOf({ name, language }: ModelVoice, languageName: (tag: string) => string): string {
  const tag = language.replace(/-x-.*/, "");
  const said = languageName(tag);
  if (said === tag) return name; // a language that the browser cannot name
  const accent = tag === language ? "" : (/\((?:[^)]*, )?([^)]+)\)/.exec(name)?.[1] ?? "");
  return accent ? `${said} (${accent})` : said;
}

function offered(voice: ModelVoice, name: string, near: boolean): Voice {
  const { id, language, gender } = voice;
  return {
    name,
    offered: true,
    near,
    engine: builtIn,
    model: undefined,
    languages: [language],
    gender: gender || undefined,
    state: "ready",
    shares: [],
    profile: {
      id: `${builtIn}:${id}`,
      name,
      description: "",
      gender,
      language,
      voice_type: "preset",
      preset_engine: builtIn,
      preset_voice_id: id,
      model_name: "",
      speed: 1,
      favorite: false,
      samples: 0,
      consent: null,
      usable: true,
      created_at: "",
      updated_at: "",
    },
  };
}

const unset = `${builtIn}:en-us`; // the default of the setting, in the place of which the language of the profile counts

/** Returns the id of the voice of a profile that names none: that of the setting, else the usual one of its language. */
function spokenBy({ language }: Profile, voices: readonly ModelVoice[], setting: unknown): string {
  const isSet = typeof setting === "string" && setting.startsWith(`${builtIn}:`) && setting !== unset;
  const [wanted = "", ...variant] = (isSet ? setting.slice(builtIn.length + 1) : language).toLowerCase().split("+");
  const base = baseLanguage(wanted);
  const found =
    voices.find(({ id }) => id === wanted) ??
    voices.find(({ id }) => id === `${base}-${base}`) ?? // fr-fr, not fr-be
    voices.find((voice) => baseLanguage(voice.language) === base);
  return [found?.id ?? wanted, ...variant].join("+");
}

/** Reports whether a row is a voice of the built-in engine without a profile, which it gets when it is chosen. */
export const isBuiltInOffer = ({ offered: isOffered, engine }: Voice): boolean => isOffered && engine === builtIn;

/**
 * The voices of the built-in engine that have no profile: the first one of the page's language with all variants, others with few.
 */
export function useBuiltInOffers(own: readonly Voice[]): Voice[] {
  const { t, i18n } = useTranslation("picker");
  const format = useFormat();
  const list = useBuiltInVoices();
  const chosen = useSettings().data?.["speech.default_voice"];
  return useMemo(() => {
    const first = list?.voices[0];
    if (!list || !first) return [];
    const taken = new Set(
      own.flatMap(({ profile, engine }) =>
        engine === builtIn ? profile.preset_voice_id || spokenBy(profile, list.voices, chosen) : [],
      ),
    );
    const endings = list.variants.map(({ id, gender }) => ({ ending: id.slice(first.id.length), gender }));
    const main = list.voices.find(({ language }) => baseLanguage(language) === baseLanguage(i18n.language));
    const all = list.voices.flatMap((voice): Voice[] => {
      const near = baseLanguage(voice.language) === baseLanguage(i18n.language);
      const name = nameOf(voice, format.language);
      const others = endings.filter(({ ending }) => voice === main || few.includes(ending));
      const variants = others.map(({ ending, gender }) =>
        offered(
          { ...voice, id: voice.id + ending, gender },
          t(gender === "female" ? "variant.female" : "variant.male", { name, number: ending.replace(/\D/g, "") }),
          near,
        ),
      );
      return [offered(voice, name, near), ...variants];
    });
    return all.filter(({ profile }) => !taken.has(profile.preset_voice_id ?? ""));
  }, [list, own, chosen, i18n.language, format, t]);
}
