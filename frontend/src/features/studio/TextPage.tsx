import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { TitleField } from "@/features/drafts/TitleField";
import { BetterVoicesCard, FirstVoiceCard } from "@/features/welcome";
import { useStore } from "@/lib/store";
import { textOf } from "./drafts/textDocument";
import type { TextStore } from "./drafts/textStore";
import { Editor } from "./editor/Editor";
import type { EditorController } from "./editor/useEditor";
import type { GenerationFlow } from "./generation/useGenerationFlow";
import type { useTextSources } from "./import/useTextSources";
import type { HeldMark } from "./inspector/TakesMenu";
import { playFrom } from "./inspector/TakesSection";
import { place, type VoiceChoice } from "./useVoiceChoice";

interface Props {
  draftStore: TextStore;
  editor: EditorController;
  flow: GenerationFlow;
  voice: VoiceChoice;
  sources: ReturnType<typeof useTextSources>;
  onChange(): void;
  /** Called after a long press on the mark of a passage. */
  onHold(held: HeldMark): void;
}

/** The title and the text, in the language of its voice. */
export function TextPage({ draftStore, editor, flow, voice, sources, onChange, onHold }: Props) {
  const { t } = useTranslation("studio");
  const { document, opened, name } = useStore(draftStore.state);
  const { generation } = flow;
  return (
    <div className="st-scroll">
      <div className="contents" lang={voice.profile?.language}>
        <div className="st-title">
          <TitleField
            label={t("title")}
            value={document.named ? name : ""}
            placeholder={document.named || name === "" ? t("drafts.untitled") : name}
            onChange={draftStore.rename}
            onLeave={() => editor.handle.current?.focus()}
          />
        </div>
        <Editor
          key={opened}
          text={textOf(document)}
          left={editor.left()}
          label={t("text")}
          placeholder={t("placeholder")}
          onReady={editor.onReady}
          onLeave={editor.onLeave}
          onChange={() => {
            editor.onChange();
            onChange();
          }}
          onChunk={editor.onChunk}
          onCursor={editor.onCursor}
          onMark={{
            play: (chunk) => {
              if (generation) playFrom(generation, chunk);
            },
            open: (chunk, mark) => onHold({ chunk, mark }),
          }}
          onFiles={sources.fileImport.open}
          onFull={sources.showFullNotice}
          onTooLong={(text) => sources.split.request({ title: "", text })}
        />
      </div>
      <Suspense fallback={null}>
        <FirstVoiceCard
          key={opened}
          place={place}
          profile={voice.profile}
          model={voice.voiceModel.model}
          isHosted={voice.isHosted}
          opened={opened}
          length={editor.length}
          isSpeaking={flow.running}
          speak={(text) => {
            if (text !== undefined) editor.replaceText(text);
            flow.generate();
          }}
        >
          {generation && !voice.voiceModel.model ? (
            <BetterVoicesCard place={place} inUse={voice.profile?.id} generation={generation.id} />
          ) : null}
        </FirstVoiceCard>
      </Suspense>
    </div>
  );
}
