import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { components } from "./schema";

export type Dictation = components["schemas"]["Dictation"];
export type DictatedText = components["schemas"]["DictatedText"];

/** What dictation is doing; the event stream says when it changes. */
export function useDictation() {
  return useQuery<Dictation, ApiError>({
    queryKey: keys.dictation,
    queryFn: ({ signal }) => dataOf(api.GET("/dictation", { signal })),
  });
}

/** Opens the microphone; the text comes with `useStopDictation`. */
export function useStartDictation() {
  const client = useQueryClient();
  return useMutation<Dictation, ApiError>({
    mutationFn: () => dataOf(api.POST("/dictation/start", { body: { target: "page" } })),
    onSuccess: (state) => client.setQueryData(keys.dictation, state),
  });
}

export function useStopDictation() {
  return useMutation<DictatedText, ApiError>({ mutationFn: () => dataOf(api.POST("/dictation/stop")) });
}

export function useCancelDictation() {
  return useMutation<Dictation, ApiError>({ mutationFn: () => dataOf(api.POST("/dictation/cancel")) });
}
