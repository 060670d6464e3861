import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keys } from "@/api/keys";
import { usePatchTranscript, useUndoTranscript } from "@/api/transcriptions";
import type { Transcript } from "@/api/types";
import { useLatest } from "@/lib/latest";
import { Editor } from "./editor";

/** Editors whose page was left before all changes were saved, by transcript. */
const unsaved = new WeakMap<QueryClient, Map<string, Editor>>();

function unsavedOf(client: QueryClient): Map<string, Editor> {
  const all = unsaved.get(client) ?? new Map<string, Editor>();
  unsaved.set(client, all);
  return all;
}

/** The editor of one transcript, for the life of its page; longer while a change cannot be saved. */
export function useEditor(id: string): Editor {
  const client = useQueryClient();
  const { mutateAsync: patch } = usePatchTranscript();
  const { mutateAsync: undo } = useUndoTranscript();
  const read = useLatest({ patch, undo });
  const [editor] = useState(
    () =>
      unsavedOf(client).get(id) ??
      new Editor({
        stored: () => client.getQueryData<Transcript>(keys.transcript(id)),
        patch: (changes, keepalive) => read().patch({ id, changes, keepalive }),
        undo: () => read().undo(id),
      }),
  );
  useEffect(() => {
    const left = unsavedOf(client);
    left.delete(id);
    window.addEventListener("pagehide", editor.leave);
    return () => {
      window.removeEventListener("pagehide", editor.leave);
      left.set(id, editor);
      void editor.close().then((isSaved) => isSaved && left.delete(id));
    };
  }, [editor, client, id]);
  return editor;
}
