import { useQuery } from "@tanstack/react-query";
import { api, asForm, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { TextPreview, TextPreviewRequest } from "./types";

export const previewText = (body: TextPreviewRequest, signal: AbortSignal) =>
  dataOf(api.POST("/text/preview", { body, signal }));

/** How a text will be spoken: its sentences, chunks, phonemes and length. An empty text sends no request. */
export function useTextPreview(request: TextPreviewRequest) {
  return useQuery<TextPreview, ApiError>({
    queryKey: keys.textPreview(request),
    queryFn: ({ signal }) => previewText(request, signal),
    enabled: request.text.trim() !== "",
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
}

/** The text and title of a file. */
export function extractText(file: File) {
  return dataOf(api.POST("/text/extract", { body: { file }, bodySerializer: asForm }));
}
