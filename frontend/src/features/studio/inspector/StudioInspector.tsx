import { useTranslation } from "react-i18next";
import { Inspector } from "@/lib/slots";
import { useStore } from "@/lib/store";
import type { Choices } from "../drafts/textDocument";
import type { TextStore } from "../drafts/textStore";
import type { EditorController } from "../editor/useEditor";
import type { GenerationFlow } from "../generation/useGenerationFlow";
import { usesSeed } from "../generation/voiceModel";
import type { VoiceChoice } from "../useVoiceChoice";
import { AdvancedSection } from "./AdvancedSection";
import { EnhanceSection } from "./EnhanceSection";
import { ExpressionSection } from "./ExpressionSection";
import { OutlineSection } from "./OutlineSection";
import { SpeechSection } from "./SpeechSection";
import { TakesSection } from "./TakesSection";
import { VoiceSection } from "./VoiceSection";

interface Props {
  draftStore: TextStore;
  editor: EditorController;
  flow: GenerationFlow;
  voice: VoiceChoice;
  /** Called when another place of the text is shown. */
  onGo(): void;
}

/** How the open text is spoken, and what it consists of. */
export function StudioInspector({ draftStore, editor, flow, voice, onGo }: Props) {
  const { t } = useTranslation("studio");
  const { document, opened } = useStore(draftStore.state);
  const { profile, voiceModel, isHosted, isV3 } = voice;
  const change = (choices: Partial<Choices>) => draftStore.change((before) => ({ ...before, ...choices }));
  return (
    <Inspector title={t("voice.title")}>
      <VoiceSection profile={profile} voiceModel={voiceModel} isLoading={voice.isLoading} choose={voice.pick} />
      <OutlineSection editor={editor} onGo={onGo} />
      {isV3 ? (
        <EnhanceSection key={`${opened}:${profile?.id}`} editor={editor} voice={profile?.hosted_voice_id ?? ""} />
      ) : null}
      <TakesSection key={`${flow.generation?.id}:${editor.chunk}`} flow={flow} chunk={editor.chunk} />
      <SpeechSection
        document={document}
        voiceSpeed={profile?.speed ?? 1}
        isSpeedFixed={isV3}
        hasSeed={usesSeed(voiceModel.engine)}
        lastSeed={flow.generation?.seed}
        change={change}
      />
      {isV3 ? <ExpressionSection chosen={document.hosted} change={change} /> : null}
      {isHosted ? null : (
        <AdvancedSection document={document} hasSteps={voiceModel.model?.steps ?? false} change={change} />
      )}
    </Inspector>
  );
}
