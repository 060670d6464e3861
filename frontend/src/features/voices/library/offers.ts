import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { api, dataOf } from "@/api/client";
import type { Model, ModelVoice } from "@/api/types";
import { baseLanguage } from "./language";
import { modelsToGet, type Voice } from "./voice";

/** A model that is not installed and its voices; empty if they are unknown. */
export interface Offer {
  model: Model;
  voices: readonly Voice[];
}

/** Returns the name of a single-voice model without its quality: Lessac (medium) is Lessac. */
export const bareName = (model: Model): string => model.display_name.replace(/ \([^)]*\)$/, "");

/** Returns the voice of a single-voice model, which the list of models describes completely. */
const single = (model: Model): ModelVoice => ({
  id: "",
  name: bareName(model),
  gender: "",
  language: model.languages[0] ?? "",
  usable: true,
  reason: "",
});

function offered(model: Model, { id, name, gender, language }: ModelVoice): Voice {
  return {
    name,
    offered: true,
    model,
    engine: model.engine,
    gender: gender || undefined,
    state: "missing",
    shares: [],
    languages: model.multilingual ? model.languages : [language],
    profile: {
      id: id ? `${model.model_name}:${id}` : model.model_name,
      name,
      description: "",
      gender,
      language,
      voice_type: "preset",
      preset_engine: model.engine,
      preset_voice_id: id,
      model_name: model.model_name,
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

export const speaks = (model: Model, language: string): boolean =>
  model.languages.some((tag) => baseLanguage(tag) === baseLanguage(language));

const known = (results: readonly { data?: { name: string; voices: ModelVoice[] } | undefined }[]) =>
  results.flatMap(({ data }) => data ?? []);

/** The models that could be installed, those that speak the language of the page first. */
export function useOffers(models: readonly Model[]): Offer[] {
  const { i18n } = useTranslation();
  const toGet = useMemo(() => {
    const all = modelsToGet(models);
    return [
      ...all.filter((model) => speaks(model, i18n.language)),
      ...all.filter((model) => !speaks(model, i18n.language)),
    ];
  }, [models, i18n.language]);
  const lists = useQueries({
    queries: toGet
      .filter((model) => model.voices > 1)
      .map(({ model_name: name, revision }) => ({
        queryKey: ["model-voices", name, revision],
        staleTime: Infinity, // the files are pinned, so their voices never change
        queryFn: async ({ signal }: { signal: AbortSignal }) => ({
          name,
          voices: (await dataOf(api.GET("/models/{name}", { params: { path: { name } }, signal }))).voices_list,
        }),
      })),
    combine: known,
  });
  return useMemo(
    () =>
      toGet.map((model) => {
        const list =
          model.voices > 1 ? (lists.find(({ name }) => name === model.model_name)?.voices ?? []) : [single(model)];
        return { model, voices: list.filter((voice) => voice.usable).map((voice) => offered(model, voice)) };
      }),
    [toGet, lists],
  );
}
