import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { keys } from "@/api/keys";
import { previewText } from "@/api/text";
import type { Generation } from "@/api/types";
import { locate } from "../editor/locateChunks";

/**
 * Returns the chunks of a text as they are written in it: a hosted one holds what was sent, with respelled words and without what
 * its voice does not play.
 */
function sourceTexts(text: string, chunks: readonly string[]): readonly string[] {
  const written = [...chunks];
  for (const { chunk, from, to } of locate(text, chunks)) written[chunk] = text.slice(from, to);
  return written;
}

/**
 * Returns the chunk texts of a generation: its own, or while it is made and when it was stopped those of a preview of its text,
 * because the server reports its chunks only at the end. One request, so a text of any length has marks.
 */
export function useChunkTexts(
  generation: Generation | undefined,
  running: boolean,
  maxChunkChars: number | null,
): readonly string[] | null {
  const isUnfinished = running || (generation?.partial ?? null) !== null;
  const isPlanned = generation !== undefined && isUnfinished && generation.chunks.length === 0;
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
  const { text = "", chunks } = generation ?? {};
  const own = useMemo(
    () =>
      chunks &&
      sourceTexts(
        text,
        chunks.map((chunk) => chunk.text),
      ),
    [text, chunks],
  );
  if (own && own.length > 0) return own;
  return isPlanned ? (planned.data?.chunks ?? null) : null;
}
