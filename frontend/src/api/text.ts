import { useQuery } from "@tanstack/react-query";
import { api } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { TextPreview, TextPreviewRequest } from "./types";

/** How a text will be spoken: its sentences, chunks, sounds and length. Nothing is asked for an empty text. */
export function useTextPreview(request: TextPreviewRequest) {
  return useQuery<TextPreview, ApiError>({
    queryKey: keys.textPreview(request),
    queryFn: ({ signal }) => api.post("/text/preview", { body: request, signal }),
    enabled: request.text.trim() !== "",
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
}
