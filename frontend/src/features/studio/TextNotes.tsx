import type { RefObject } from "react";
import { BookNote } from "./BookNote";
import { ConflictNote } from "./drafts/ConflictNote";
import type { TextStore } from "./drafts/textStore";
import { GenerationError } from "./generation/GenerationError";
import { RevisionNote } from "./generation/RevisionNote";
import { StoppedNote } from "./generation/StoppedNote";
import type { GenerationFlow } from "./generation/useGenerationFlow";
import { ImportStatus } from "./import/ImportStatus";
import type { useTextSources } from "./import/useTextSources";
import type { VoiceChoice } from "./useVoiceChoice";

interface Props {
  draftStore: TextStore;
  flow: GenerationFlow;
  voice: VoiceChoice;
  sources: ReturnType<typeof useTextSources>;
  /** The button that gets the focus when a note goes. */
  action: RefObject<HTMLElement | null>;
}

/** What is to be said of the open text, above it. */
export function TextNotes({ draftStore, flow, voice, sources, action }: Props) {
  return (
    <>
      <BookNote generation={flow.generation} />
      <ConflictNote draftStore={draftStore} actions={sources.draftActions} />
      <StoppedNote flow={flow} action={action} />
      <RevisionNote flow={flow} action={action} />
      <GenerationError
        flow={flow}
        action={action}
        modelName={voice.voiceModel.model?.model_name}
        chooseVoice={voice.pick}
      />
      <ImportStatus fileImport={sources.fileImport} problems={sources.problems} chooseFile={sources.openFile} />
    </>
  );
}
