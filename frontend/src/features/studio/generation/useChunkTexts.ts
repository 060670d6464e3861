import { useQuery } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { previewText } from "@/api/text";
import type { Generation } from "@/api/types";

/**
 * Returns the chunk texts of a generation: its own, or while it is made those of a preview of its text, because the
 * server reports its chunks only at the end. One request, so a text of any length has marks.
 */
export function useChunkTexts(
  generation: Generation | undefined,
  running: boolean,
  maxChunkChars: number | null,
): readonly string[] | null {
  const isPlanned = generation !== undefined && running && generation.chunks.length === 0;
  const planned = useQuery({
    queryKey: keys.plannedChunks(generation?.id ?? ""),
    queryFn: ({ signal }) =>
      previewText(
        {
          text: generation?.text ?? "",
          ...(generation ? { profile_id: generation.profile_id } : {}),
          ...(maxChunkChars === null ? {} : { max_chunk_chars: maxChunkChars }),
        },
        signal,
      ),
    enabled: isPlanned && generation.text.trim() !== "",
    staleTime: Infinity,
    retry: false,
  });
  if (generation && generation.chunks.length > 0) return generation.chunks.map((chunk) => chunk.text);
  return isPlanned ? (planned.data?.chunks ?? null) : null;
}
