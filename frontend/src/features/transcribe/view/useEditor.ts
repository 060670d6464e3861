import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keys } from "@/api/keys";
import { usePatchTranscript, useUndoTranscript } from "@/api/transcriptions";
import type { Transcript } from "@/api/types";
import { useLatest } from "@/lib/latest";
import { createEditor, type Editor } from "./editor";

/** The editor of one transcript, for the life of its page. */
export function useEditor(id: string): Editor {
  const client = useQueryClient();
  const { mutateAsync: patch } = usePatchTranscript();
  const { mutateAsync: undo } = useUndoTranscript();
  const read = useLatest({ patch, undo });
  const [editor] = useState(() =>
    createEditor({
      stored: () => client.getQueryData<Transcript>(keys.transcript(id)),
      patch: (changes, keepalive) => read().patch({ id, changes, keepalive }),
      undo: () => read().undo(id),
    }),
  );
  useEffect(() => {
    window.addEventListener("pagehide", editor.leave);
    return () => {
      window.removeEventListener("pagehide", editor.leave);
      editor.dispose();
    };
  }, [editor]);
  return editor;
}
