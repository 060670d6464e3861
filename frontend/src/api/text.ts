import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { api, asForm, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { TextPreview, TextPreviewRequest } from "./types";

export const previewText = (body: TextPreviewRequest, signal: AbortSignal) =>
  dataOf(api.POST("/text/preview", { body, signal }));

const previewQuery = (request: TextPreviewRequest) =>
  queryOptions<TextPreview, ApiError>({
    queryKey: keys.textPreview(request),
    queryFn: ({ signal }) => previewText(request, signal),
    enabled: request.text.trim() !== "",
    staleTime: 60_000,
  });

/** How a text will be spoken: its sentences, chunks, phonemes and length. An empty text sends no request. */
export function useTextPreview(request: TextPreviewRequest) {
  return useQuery({ ...previewQuery(request), placeholderData: (before) => before });
}

/** The previews of several texts, in their order; undefined for each that is not known. */
export const useTextPreviews = (requests: readonly TextPreviewRequest[]): (TextPreview | undefined)[] =>
  useQueries({ queries: requests.map(previewQuery) }).map(({ data }) => data);

/** The text and title of a file. */
export function extractText(file: File) {
  return dataOf(api.POST("/text/extract", { body: { file }, bodySerializer: asForm }));
}
