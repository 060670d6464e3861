import type { GenerateRequest, Profile } from "@/api/types";
import { useStore } from "@/lib/store";
import { titleOf, toHostedRequest, toRequest } from "../drafts/textDocument";
import type { TextStore } from "../drafts/textStore";
import type { EditorController } from "../editor/useEditor";
import type { VoiceChoice } from "../useVoiceChoice";
import { useGenerationFlow, type GenerationFlow } from "./useGenerationFlow";
import { rememberVoice } from "@/features/voices/library";

/** The flow of the open text, which keeps its generation. */
export function useTextGeneration(draftStore: TextStore, editor: EditorController, voice: VoiceChoice): GenerationFlow {
  const { document, opened, id } = useStore(draftStore.state);
  const { profile, isLoading, isHosted } = voice;
  const requestOf = (text: string, voice: Profile): GenerateRequest => {
    const title = titleOf(draftStore.state.get());
    return isHosted ? toHostedRequest(document, text, voice, title) : toRequest(document, text, voice.id, title);
  };
  return useGenerationFlow({
    id: document.generation_id,
    opened,
    profile,
    isLoading,
    paused: profile ? requestOf(editor.paused, profile) : null,
    request: () => {
      const text = editor.handle.current?.text() ?? "";
      if (text.trim() === "") editor.handle.current?.focus();
      if (!profile && isLoading) return "later";
      if (!profile) voice.pick();
      return text.trim() === "" || !profile ? null : requestOf(text, profile);
    },
    onAccepted: (generation, at) => {
      const open = draftStore.state.get(); // another draft, or this one reopened
      if (open.opened === at || (id !== undefined && open.id === id))
        draftStore.change((before) => ({ ...before, generation_id: generation.id }));
      rememberVoice(generation.profile_id);
    },
    onUndone: ({ text }) => editor.replaceText(text),
  });
}
