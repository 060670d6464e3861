import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useModelName } from "@/i18n/modelName";
import { api, asEvents, asFile, dataOf } from "./client";
import type { ApiError } from "./errors";
import { downloadEvent, parsed, type DownloadEvent } from "./eventSchemas";
import { readEvents } from "./eventStream";
import { keys } from "./keys";
import type { Model, ModelDetail, ModelsDirectory, TranscriptionModel } from "./types";
import type { paths } from "./schema";

const engineNames: Record<string, string> = {
  espeak: "eSpeak NG",
  kokoro: "Kokoro",
  kitten: "KittenTTS",
  supertonic: "Supertonic",
  piper: "Piper",
  pocket: "Pocket TTS",
  chatterbox: "Chatterbox",
  moss: "MOSS-TTS",
  whisper: "Whisper",
  diarize: "Diarization",
};

/** The name of an engine: the same in every language. */
export const engineName = (engine: string): string =>
  engineNames[engine] ?? engine.charAt(0).toUpperCase() + engine.slice(1);

export type CatalogueFilter = NonNullable<paths["/models/catalogue"]["get"]["parameters"]["query"]>;

/** Returns a model with its name in the user's language. */
function useNamed<M extends Model>(): (model: M) => M {
  const nameOf = useModelName();
  return useCallback((model) => ({ ...model, display_name: nameOf(model.model_name, model.display_name) }), [nameOf]);
}

export function useModels() {
  const named = useNamed<Model>();
  return useQuery<Model[], ApiError>({
    queryKey: keys.modelStatus,
    queryFn: async ({ signal }) => (await dataOf(api.GET("/models/status", { signal }))).models,
    select: useCallback((models: Model[]) => models.map(named), [named]),
  });
}

/** Returns the models that this program can transcribe with. */
export const transcribersOf = (models: readonly Model[]): Model[] =>
  models.filter((model) => model.family === "transcription" && model.supported);

/** Returns the models that this program can find speakers with. */
export const diarizersOf = (models: readonly Model[]): Model[] =>
  models.filter((model) => model.family === "speakers" && model.supported);

/** Finds the model that would check generated speech. */
export function useFindVerifier() {
  return useMutation<TranscriptionModel, ApiError>({
    mutationFn: () => dataOf(api.GET("/transcriptions/model", { params: { query: { use: "verification" } } })),
  });
}

/** One model of the list. */
export function useModel(name: string | undefined): Model | undefined {
  return useModels().data?.find((model) => model.model_name === name);
}

/** A model with its voices, the default one first. */
export function useModelDetail(name: string) {
  const named = useNamed<ModelDetail>();
  return useQuery<ModelDetail, ApiError>({
    select: named,
    queryKey: [...keys.models, "one", name],
    queryFn: ({ signal }) => dataOf(api.GET("/models/{name}", { params: { path: { name } }, signal })),
  });
}

/** The models folder; with `following` it is polled while its contents change, because no event reports that. */
export function useModelsDirectory(following = false) {
  return useQuery<ModelsDirectory, ApiError>({
    queryKey: keys.modelDirectory,
    queryFn: ({ signal }) => dataOf(api.GET("/models/directory", { signal })),
    refetchInterval: (query) => (query.state.data?.moving ? 1000 : following ? 2000 : false),
  });
}

/** The catalogue of voices that can be added. */
export function useModelCatalogue(filter: CatalogueFilter, enabled = true) {
  return useQuery({
    enabled,
    queryKey: keys.catalogue(filter),
    queryFn: ({ signal }) => dataOf(api.GET("/models/catalogue", { params: { query: filter }, signal })),
    placeholderData: (before) => before,
  });
}

function useModelMutation<V, R>(run: (variables: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation<R, ApiError, V>({
    mutationFn: run,
    onSettled: () => client.invalidateQueries({ queryKey: keys.models }),
  });
}

export function useDownloadModel() {
  return useModelMutation(({ name, acceptLicense }: { name: string; acceptLicense?: boolean }) =>
    dataOf(
      api.POST("/models/download", { body: { model_name: name, ...(acceptLicense ? { accept_license: true } : {}) } }),
    ),
  );
}

export function usePauseModel() {
  return useModelMutation((name: string) => dataOf(api.POST("/models/{name}/pause", { params: { path: { name } } })));
}

export function useResumeModel() {
  return useModelMutation((name: string) => dataOf(api.POST("/models/{name}/resume", { params: { path: { name } } })));
}

/** Stops a download and deletes what was downloaded. */
export function useCancelModel() {
  return useModelMutation((name: string) => dataOf(api.POST("/models/{name}/cancel", { params: { path: { name } } })));
}

export function useVerifyModel() {
  return useModelMutation((name: string) => dataOf(api.POST("/models/{name}/verify", { params: { path: { name } } })));
}

export function useLoadModel() {
  return useModelMutation(
    ({ name, force, acceptLicense }: { name: string; force?: boolean; acceptLicense?: boolean }) =>
      dataOf(
        api.POST("/models/load", {
          body: { model_name: name, ...(force ? { force } : {}), ...(acceptLicense ? { accept_license: true } : {}) },
        }),
      ),
  );
}

export function useUnloadModel() {
  return useModelMutation(({ name, force }: { name: string; force?: boolean }) =>
    dataOf(api.POST("/models/unload", { params: { query: force ? { force } : {} }, body: { model_name: name } })),
  );
}

export function useDeleteModel() {
  return useModelMutation(({ name, force }: { name: string; force?: boolean }) =>
    dataOf(api.DELETE("/models/{name}", { params: { path: { name }, query: force ? { force } : {} } })),
  );
}

/** Adds a catalogue voice to the list without downloading it. */
export function useRegisterModel() {
  const client = useQueryClient();
  return useMutation<Model, ApiError, { catalogue: string; key: string }>({
    mutationFn: (entry) => dataOf(api.POST("/models/register", { body: entry })),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.models }),
        client.invalidateQueries({ queryKey: ["catalogue"] }),
      ]),
  });
}

/** Imports the files of a listed model from this machine. */
export function useFillModel() {
  return useModelMutation(({ name, path }: { name: string; path: string }) =>
    dataOf(api.POST("/models/{name}/import", { params: { path: { name } }, body: { path } })),
  );
}

/** Returns the current state of a download, the first event of its stream; null when it cannot be read. */
export async function readDownload(name: string, signal: AbortSignal): Promise<DownloadEvent | null> {
  try {
    const body = await dataOf(api.GET("/models/progress/{name}", { params: { path: { name } }, signal, ...asEvents }));
    for await (const { data } of readEvents(body)) return parsed(downloadEvent, data) ?? null;
  } catch {
    // The list of models shows the download, and the next event of the window's stream updates it.
  }
  return null;
}

/** Fetches the sample that the makers of a voice publish. */
export function fetchVoiceSample(name: string, voice: string, signal?: AbortSignal): Promise<Blob> {
  return dataOf(
    api.GET("/models/{name}/voices/{voice}/sample", { params: { path: { name, voice } }, signal, ...asFile }),
  );
}
