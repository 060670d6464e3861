import { diarizersOf, transcribersOf, useModels } from "@/api/models";
import { useSettings } from "@/api/settings";
import type { Model, TranscriptionRequest } from "@/api/types";
import { requestOf, useOptions } from "./options";

const comfort = 200; // MB: up to here a larger model is better, beyond it a smaller one

const rank = (model: Model): number[] => [
  model.fits === "yes" ? 1 : 0,
  model.default ? 1 : 0,
  model.languages.length > 1 ? 1 : 0,
  model.size_mb <= comfort ? model.size_mb : -model.size_mb,
];

/** Returns the model to download first: one that fits, knows many languages and is not large. */
export function firstModel(models: readonly Model[]): Model | undefined {
  const fitting = models.filter((model) => model.fits !== "no" && model.size_mb > 0);
  return [...fitting].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const at = left.findIndex((value, i) => value !== right[i]);
    return at < 0 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
  })[0];
}

/** Returns the model for the next files: the chosen one, else the default one, else the first that is downloaded. */
export function chooseModel(models: readonly Model[], chosen: string, byDefault: string): Model | undefined {
  const named = (name: string) => models.find((model) => model.model_name === name);
  const usual = named(byDefault);
  return named(chosen) ?? (usual?.downloaded ? usual : undefined) ?? models.find((model) => model.downloaded);
}

/**
 * The transcription models, and the one for the next files; undefined while none is downloaded or chosen, and before the settings have named
 * the default one. `installed` is the one to use where nothing may be downloaded: the chosen one, the default one or the first.
 */
export function useTranscribers() {
  const query = useModels();
  const { model } = useOptions();
  const settings = useSettings();
  const byDefault = String(settings.data?.["transcribe.model"] ?? "");
  const models = transcribersOf(query.data ?? []);
  const choose = (from: readonly Model[]) => (settings.isPending ? undefined : chooseModel(from, model, byDefault));
  return {
    models,
    chosen: choose(models),
    installed: choose(models.filter((one) => one.downloaded)),
    isLoading: query.isPending || settings.isPending,
  };
}

/** The model that finds speakers: an installed one, else the one that would be downloaded. Undefined until the models are known. */
export function useSpeakersModel(): Model | undefined {
  const models = diarizersOf(useModels().data ?? []);
  return models.find(({ downloaded }) => downloaded) ?? models[0];
}

/** Returns the request for a recording with a model and the options of this browser. */
export function useRequest(): (transcriber: Model) => TranscriptionRequest {
  const options = useOptions();
  const findsSpeakers = useSpeakersModel()?.downloaded ?? false;
  return (transcriber) => requestOf(options, { transcriber, findsSpeakers });
}
