import { useMemo } from "react";
import type { Profile, TextPreviewRequest } from "@/api/types";
import type { TextDocument } from "../drafts/textDocument";

/** Returns the preview request of a text, with the options that change what is spoken or its length. */
export function usePreviewRequest(
  document: TextDocument,
  text: string,
  profile: Profile | undefined,
): TextPreviewRequest {
  const { speed, max_chunk_chars: chunk } = document;
  const id = profile?.id;
  return useMemo(
    () => ({
      text,
      ...(id ? { profile_id: id } : {}),
      ...(speed === null ? {} : { speed }),
      ...(chunk === null ? {} : { max_chunk_chars: chunk }),
    }),
    [text, id, speed, chunk],
  );
}
