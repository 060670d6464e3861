import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createStore, useStore } from "@/lib/store";
import { useEffect } from "react";
import { api, asFile, dataOf } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { paths } from "./schema";
import type {
  GenerateRequest,
  Generation,
  HostedModel,
  HostedQuote,
  HostedStatus,
  HostedVoice,
  HostedVoicePage,
  ScriptRequest,
} from "./types";

export type { HostedModel, HostedQuote, HostedStatus, HostedTest, HostedVoice, HostedVoicePage } from "./types";

export type HostedVoiceFilter = Omit<
  NonNullable<paths["/hosted/voices"]["get"]["parameters"]["query"]>,
  "cursor" | "limit" | "refresh"
>;

/** The model with audio tags, whose speed is fixed. */
export const v3Model = "providerA-v3";

const statusAge = 30_000; // ms; the server reads plan and credits at most that often

/** The hosted account: signed in or not, plan, credits, and where secrets are stored. */
export function useHostedStatus() {
  return useQuery<HostedStatus, ApiError>({
    queryKey: keys.hostedStatus,
    queryFn: ({ signal }) => dataOf(api.GET("/hosted/status", { signal })),
    staleTime: statusAge,
  });
}

/** Reports whether calls of the hosted service have a credential. */
export const hasCredential = (status: HostedStatus | undefined): boolean =>
  status?.enabled === true && status.configured && (status.signed_in || Boolean(status.key_prefix));

const lowCredits = 2100; // the price of 1,000 characters with the v3 model

/** Reports whether the credits are too few for a page of text. */
export const isLow = ({ credits }: HostedStatus): boolean => credits !== null && credits < lowCredits;

/** Reports whether hosted voices can be offered: the service is set up, and there is a sign-in or a key. */
export function useHostedReady(): boolean {
  return hasCredential(useHostedStatus().data);
}

/** The voices of the hosted service, page by page; `first` also has filters, fetched_at and stale. Nothing is sent before `isOn`. */
export function useHostedVoices(filter: HostedVoiceFilter = {}, isOn = true, limit = 100) {
  return useCursorList<HostedVoice, HostedVoicePage>(
    keys.hostedVoiceList({ ...filter, limit }),
    (cursor, signal) =>
      dataOf(
        api.GET("/hosted/voices", {
          params: { query: { ...filter, limit, ...(cursor ? { cursor } : {}) } },
          signal,
        }),
      ),
    isOn,
  );
}

/** Gets the list of voices from the service again, instead of the stored one. */
export async function refreshHostedVoices(client: QueryClient): Promise<void> {
  await dataOf(api.GET("/hosted/voices", { params: { query: { refresh: "true", limit: 1 } } }));
  await client.invalidateQueries({ queryKey: keys.hostedVoices });
}

export function useHostedModels(isOn = true) {
  return useQuery<HostedModel[], ApiError>({
    queryKey: keys.hostedModels,
    queryFn: async ({ signal }) => (await dataOf(api.GET("/hosted/models", { signal }))).items,
    enabled: isOn,
  });
}

/** Returns the price of a request of /generate or /scripts; null asks for none. Debounce the text before. */
/** A request of /generate or /script, or of PUT /scripts/{id} with the id of the script. */
type QuoteRequest = GenerateRequest | (ScriptRequest & { script_id?: string });

export function useQuote(request: QuoteRequest | null) {
  return useQuery<HostedQuote, ApiError>({
    queryKey: keys.hostedQuote(request ?? {}),
    queryFn: ({ signal }) => quote(request as QuoteRequest, signal),
    enabled: request !== null,
    placeholderData: (before) => (request === null ? undefined : before), // the old price stays until the new one has come
    gcTime: 60_000, // its key has the text
  });
}

/** Gets the price of a request of /generate or /scripts. */
export function quote(request: QuoteRequest, signal?: AbortSignal): Promise<HostedQuote> {
  return dataOf(api.POST("/hosted/quote", { body: request, ...(signal ? { signal } : {}) }));
}

/** Gets the price of speaking a hosted generation again: with its voice and model, even if the profile has changed. */
export async function priceOf(generation: Generation): Promise<number | null> {
  const { dialogue, text, voice, profile_id, model_name } = generation;
  const again = (line: { profile_id: string; text: string; voice: string }) => ({
    profile_id: line.profile_id,
    text: line.text,
    voice: `hosted:${line.voice}`,
  });
  const request = dialogue ? { turns: dialogue.map(again) } : { ...again({ profile_id, text, voice }), model_name };
  return (await quote(request)).credits;
}

const textPrice = createStore<HostedQuote | null>(null);

/** Shows the price of the present text in the top bar while the calling component is mounted; null shows none. */
export function useShownQuote(price: HostedQuote | null): void {
  useEffect(() => {
    textPrice.set(price);
    return () => textPrice.set((now) => (now === price ? null : now));
  }, [price]);
}

/** The price of the present text, which useShownQuote set. */
export const useTextPrice = (): HostedQuote | null => useStore(textPrice);

/** Sets or removes a voice in the service's list of favourites, and returns the voice. */
export function setFavorite(id: string, favorite: boolean): Promise<HostedVoice> {
  return dataOf(api.PUT("/hosted/voices/{voice}/favorite", { params: { path: { voice: id } }, body: { favorite } }));
}

export function useSetHostedFavorite() {
  const client = useQueryClient();
  return useMutation<HostedVoice, ApiError, { id: string; favorite: boolean }>({
    mutationFn: ({ id, favorite }) => setFavorite(id, favorite),
    onSettled: () => client.invalidateQueries({ queryKey: keys.hostedVoices }),
  });
}

/** The service's preview of a voice, which the server stores. */
export function fetchHostedPreview(id: string, signal?: AbortSignal): Promise<Blob> {
  return dataOf(
    api.GET("/hosted/voices/{voice}/preview", {
      params: { path: { voice: id } },
      ...(signal ? { signal } : {}),
      ...asFile,
    }),
  );
}

type Enhancement = paths["/hosted/enhance"]["post"]["responses"][200]["content"]["application/json"];
export type HostedEnhanced = Extract<Enhancement, { text: string }>;
export type HostedEnhancedTurns = Extract<Enhancement, { turns: unknown }>;

/** Inserts audio tags into a text; its words stay as they are. */
export async function enhance(text: string, voice?: string, signal?: AbortSignal): Promise<HostedEnhanced> {
  const body = { text, ...(voice ? { voice } : {}) };
  const answer = await dataOf(api.POST("/hosted/enhance", { body, ...(signal ? { signal } : {}) }));
  if (!("text" in answer)) throw new Error("turns for a text");
  return answer;
}

/** Inserts audio tags into all turns of a dialogue. */
export async function enhanceTurns(
  turns: readonly { id: string; text: string; voice?: string }[],
  signal?: AbortSignal,
): Promise<HostedEnhancedTurns> {
  const body = { turns: [...turns] };
  const answer = await dataOf(api.POST("/hosted/enhance", { body, ...(signal ? { signal } : {}) }));
  if (!("turns" in answer)) throw new Error("a text for turns");
  return answer;
}
