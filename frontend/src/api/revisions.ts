import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import type { ApiError } from "./errors";
import { acceptedPrice, useAgainMutation, useGenerationMutation } from "./generations";
import { keys } from "./keys";
import { expectAgain } from "./live";
import type { GenerateRequest, Generation, ReviseRequest, RevisedGeneration } from "./types";

/**
 * How many chunks of a changed text keep their audio, are generated, and are removed, the price of a hosted one, and whether the
 * requested settings are those of the generation.
 */
export type RevisionPlan = Pick<RevisedGeneration, "reused" | "generated" | "removed" | "quote" | "same_settings">;

interface Revision {
  id: string;
  text: string;
  /** The price that was accepted. */
  accepted?: number | undefined;
}

function send(id: string, body: ReviseRequest, signal?: AbortSignal) {
  return dataOf(
    api.POST("/generate/{generation_id}/revise", {
      params: { path: { generation_id: id } },
      body,
      ...(signal ? { signal } : {}),
    }),
  );
}

/**
 * What changing the text of a generation to that of a request would do, and whether that brings the settings of the request. A
 * refusal is an error of the query.
 */
export const revisionPlan = ({ id, audio_path }: Pick<Generation, "id" | "audio_path">, request: GenerateRequest) =>
  queryOptions<RevisionPlan, ApiError>({
    queryKey: keys.revisionPlan(id, audio_path, request),
    queryFn: ({ signal }) => send(id, { ...request, dry_run: true }, signal),
    staleTime: Infinity,
    gcTime: 60_000, // its key has the text
    retry: false,
  });

/** Changes the text of a generation; follow it with useGeneration. Until it is complete the former text and audio stay. */
export function useRevise() {
  const client = useQueryClient();
  return useAgainMutation(async ({ id, text, accepted }: Revision) => {
    const revised = await send(id, { text, ...acceptedPrice(accepted) });
    // One without anything to speak may have ended before the answer was read.
    void client.invalidateQueries({ queryKey: keys.generation(id) });
    return revised;
  });
}

/** Returns a generation to its text and audio before the last change. */
export function useUndoText() {
  return useGenerationMutation((id: string) =>
    dataOf(api.POST("/generate/{generation_id}/revise/undo", { params: { path: { generation_id: id } } })),
  );
}

/** Levels the whole audio of a generation again. */
export function useLevel() {
  return useGenerationMutation((id: string) => {
    expectAgain(id);
    return dataOf(api.POST("/generate/{generation_id}/level", { params: { path: { generation_id: id } } }));
  });
}
