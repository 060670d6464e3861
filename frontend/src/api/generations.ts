import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import { ApiError } from "./errors";
import { keys } from "./keys";
import { applyGeneration, expectAgain, mayBeOlder } from "./live";
import { hasEnded, type GenerateRequest, type Generation } from "./types";

/**
 * Stores the response to a request in the query cache. The events of the generation may have overtaken it: then no further
 * event will correct it, so it does not replace a state that was read since, and the newest one is read.
 */
export function storeGeneration(client: QueryClient, generation: Generation): void {
  const key = keys.generation(generation.id);
  const isOlder = mayBeOlder(generation);
  client.setQueryData<Generation>(key, (known) => (isOlder && known && hasEnded(known.status) ? known : generation));
  if (isOlder) void client.invalidateQueries({ queryKey: key });
  applyGeneration(generation);
  void client.invalidateQueries({ queryKey: keys.history });
}

export const readGeneration = (id: string, signal?: AbortSignal): Promise<Generation> =>
  dataOf(api.GET("/history/{generation_id}", { params: { path: { generation_id: id } }, signal }));

/** A request that answers with a generation, which is stored in the query cache. */
export function useGenerationMutation<V, G extends Generation = Generation>(run: (variables: V) => Promise<G>) {
  const client = useQueryClient();
  return useMutation<G, ApiError, V>({
    mutationFn: run,
    onSuccess: (generation) => storeGeneration(client, generation),
  });
}

/** A mutation of a generation that may have ended already, and is made again in whole or in part under its id. */
export function useAgainMutation<V extends { id: string }, G extends Generation = Generation>(
  run: (variables: V) => Promise<G>,
) {
  return useGenerationMutation<V, G>((variables) => {
    expectAgain(variables.id);
    return run(variables);
  });
}

const verifyingInterval = 2_000; // ms; a verification reports its end, not that it is still waiting

/** One generation with its chunks; events of the server keep it current while it runs. */
export function useGeneration(id: string | undefined) {
  return useQuery<Generation, ApiError>({
    queryKey: keys.generation(id ?? ""),
    queryFn: ({ signal }) =>
      dataOf(api.GET("/generate/{generation_id}", { params: { path: { generation_id: id ?? "" } }, signal })),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data?.verifying ? verifyingInterval : false),
  });
}

/** Submits a text; follow it with useGeneration or useLiveGeneration. */
export function useGenerate() {
  return useGenerationMutation((body: GenerateRequest) =>
    dataOf(api.POST("/generate", { body, headers: { Prefer: "respond-async" } })),
  );
}

/** Acts on a generation that may have ended meanwhile: what has become of it is then read instead. */
async function unlessEnded(id: string, act: () => Promise<Generation>): Promise<Generation> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not_in_progress") throw error;
    return dataOf(api.GET("/generate/{generation_id}", { params: { path: { generation_id: id } } }));
  }
}

/** Cancels a generation, or deletes the finished chunks of one that was stopped or failed. */
export function useCancelGeneration() {
  return useGenerationMutation((id: string) =>
    unlessEnded(id, () =>
      dataOf(api.POST("/generate/{generation_id}/cancel", { params: { path: { generation_id: id } } })),
    ),
  );
}

/** Stops a generation; its finished chunks are stored, and useRetryGeneration makes the rest. */
export function useStopGeneration() {
  return useGenerationMutation((id: string) =>
    unlessEnded(id, () =>
      dataOf(api.POST("/generate/{generation_id}/stop", { params: { path: { generation_id: id } } })),
    ),
  );
}

export const acceptedPrice = (credits: number | undefined) =>
  credits === undefined ? {} : { accept_credits: credits };

/** Generates a failed or cancelled generation again; `accepted` is the price of what a hosted one still has to pay. */
export function useRetryGeneration() {
  return useAgainMutation(({ id, accepted }: { id: string; accepted?: number | undefined }) =>
    dataOf(
      api.POST("/generate/{generation_id}/retry", {
        params: { path: { generation_id: id } },
        ...(accepted === undefined ? {} : { body: acceptedPrice(accepted) }),
      }),
    ),
  );
}

/** Creates a new generation of the same text, with `parent_id`; `accepted` is the price of a hosted one. */
export function useRegenerate() {
  return useGenerationMutation(({ id, seed, accepted }: { id: string; seed?: number; accepted?: number | undefined }) =>
    dataOf(
      api.POST("/generate/{generation_id}/regenerate", {
        params: { path: { generation_id: id } },
        body: { ...(seed === undefined ? {} : { seed }), ...acceptedPrice(accepted) },
      }),
    ),
  );
}

interface NewTake {
  id: string;
  chunk: number;
  seed?: number;
  /** false: the take is added and the audio stays as it is. */
  choose?: boolean;
}

/** Adds a take to one chunk; the id of the generation does not change. */
export function useRegenerateChunk() {
  return useAgainMutation(({ id, chunk, seed, choose }: NewTake) =>
    dataOf(
      api.POST("/generate/{generation_id}/chunks/{n}/regenerate", {
        params: { path: { generation_id: id, n: chunk } },
        body: { ...(seed === undefined ? {} : { seed }), ...(choose === undefined ? {} : { choose }) },
      }),
    ),
  );
}
