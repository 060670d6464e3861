import { useMemo } from "react";
import type { Profile, TextPreviewRequest } from "@/api/types";
import type { TextDocument } from "../drafts/textDocument";

/** What to ask about a text, with the choices that change what is spoken or how long it is. */
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
