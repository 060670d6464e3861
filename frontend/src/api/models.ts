import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { Model, ModelsDirectory } from "./types";
import type { components, operations } from "./schema";

export type ModelDetail = components["schemas"]["ModelDetail"];
export type ModelVoice = components["schemas"]["ModelVoice"];

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
};

/** An engine as people write it: the same in every language. */
export const engineName = (engine: string): string =>
  engineNames[engine] ?? engine.charAt(0).toUpperCase() + engine.slice(1);

export type CatalogueFilter = NonNullable<operations["model-catalogue"]["parameters"]["query"]>;

export function useModels() {
  return useQuery<Model[], ApiError>({
    queryKey: keys.modelStatus,
    queryFn: async ({ signal }) => (await api.get("/models/status", { signal })).models,
  });
}

/** One model out of the list. */
export function useModel(name: string | undefined): Model | undefined {
  return useModels().data?.find((model) => model.model_name === name);
}

/** A model with its voices, the one that speaks when none is named first. */
export function useModelDetail(name: string) {
  return useQuery<ModelDetail, ApiError>({
    queryKey: [...keys.models, "one", name],
    queryFn: ({ signal }) => api.get("/models/{name}", { path: { name }, signal }),
  });
}

/** The folder of the models; `following` looks again while something changes in it, of which no event tells. */
export function useModelsDirectory(following = false) {
  return useQuery<ModelsDirectory, ApiError>({
    queryKey: keys.modelDirectory,
    queryFn: ({ signal }) => api.get("/models/directory", { signal }),
    refetchInterval: (query) => (query.state.data?.moving ? 1000 : following ? 2000 : false),
  });
}

/** The voices that can be taken into the list. */
export function useModelCatalogue(filter: CatalogueFilter) {
  return useQuery({
    queryKey: keys.catalogue(filter),
    queryFn: ({ signal }) => api.get("/models/catalogue", { query: filter, signal }),
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
    api.post("/models/download", { body: { model_name: name, ...(acceptLicense ? { accept_license: true } : {}) } }),
  );
}

export function usePauseModel() {
  return useModelMutation((name: string) => api.post("/models/{name}/pause", { path: { name } }));
}

export function useResumeModel() {
  return useModelMutation((name: string) => api.post("/models/{name}/resume", { path: { name } }));
}

/** Stops a download and drops what was fetched. */
export function useCancelModel() {
  return useModelMutation((name: string) => api.post("/models/{name}/cancel", { path: { name } }));
}

export function useVerifyModel() {
  return useModelMutation((name: string) => api.post("/models/{name}/verify", { path: { name } }));
}

export function useLoadModel() {
  return useModelMutation(
    ({ name, force, acceptLicense }: { name: string; force?: boolean; acceptLicense?: boolean }) =>
      api.post("/models/load", {
        body: { model_name: name, ...(force ? { force } : {}), ...(acceptLicense ? { accept_license: true } : {}) },
      }),
  );
}

export function useUnloadModel() {
  return useModelMutation(({ name, force }: { name: string; force?: boolean }) =>
    api.post("/models/unload", { body: { model_name: name }, query: force ? { force } : {} }),
  );
}

export function useDeleteModel() {
  return useModelMutation(({ name, force }: { name: string; force?: boolean }) =>
    api.del("/models/{name}", { path: { name }, query: force ? { force } : {} }),
  );
}

/** Takes a catalogue voice into the list; it is not downloaded by that. */
export function useRegisterModel() {
  const client = useQueryClient();
  return useMutation<Model, ApiError, { catalogue: string; key: string }>({
    mutationFn: (entry) => api.post("/models/register", { body: entry }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.models }),
        client.invalidateQueries({ queryKey: ["catalogue"] }),
      ]),
  });
}

/** Fills a model of the list from files on this machine. */
export function useFillModel() {
  return useModelMutation(({ name, path }: { name: string; path: string }) =>
    api.post("/models/{name}/import", { path: { name }, body: { path } }),
  );
}
