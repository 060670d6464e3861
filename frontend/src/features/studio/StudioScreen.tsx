import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { DraftsMenu } from "@/features/drafts/DraftsMenu";
import { ModeSwitch } from "@/features/drafts/ModeSwitch";
import { BackToPassage, useFollow } from "@/features/follow";
import { TextPrice } from "@/features/hosted";
import { useDraftFrom } from "@/lib/draftLink";
import { href, navigate } from "@/lib/router";
import { TopEnd, TopStart } from "@/lib/slots";
import { useStore } from "@/lib/store";
import { fileTypes } from "@/lib/textFiles";
import { heardPart, useMarkOlder, usePlaying } from "@/player";
import { FileInput } from "@/ui";
import { maxPreview } from "./drafts/textDocument";
import type { TextStore } from "./drafts/textStore";
import { useVoiceFromAddress } from "./drafts/useOpenFromHistory";
import { EditorToolDialogs, useEditorTools } from "./editor/EditorTools";
import { useEditor, useMarks, useTagButtons } from "./editor/useEditor";
import { ConfirmDialog } from "./generation/ConfirmDialog";
import { GenerateButton } from "./generation/GenerateButton";
import { useChunkTexts } from "./generation/useChunkTexts";
import { usePreviewRequest } from "./generation/usePreviewRequest";
import { useTextGeneration } from "./generation/useTextGeneration";
import { useTextPrice } from "./generation/useTextPrice";
import { SplitDialog } from "./import/SplitDialog";
import { useTextSources } from "./import/useTextSources";
import { StudioInspector } from "./inspector/StudioInspector";
import { TakesMenu, type HeldMark } from "./inspector/TakesMenu";
import { StatusBar, usePausedPreview } from "./StatusBar";
import { TextNotes } from "./TextNotes";
import { TextPage } from "./TextPage";
import { useVoiceChoice } from "./useVoiceChoice";
import { VoiceDialogs } from "./VoiceDialogs";

export function StudioScreen({ draftStore }: { draftStore: TextStore }) {
  const { t } = useTranslation("studio");
  const { document, opened, id } = useStore(draftStore.state);
  const editor = useEditor(draftStore);
  const voice = useVoiceChoice(draftStore);
  const { profile } = voice;
  const language = profile?.language ?? "";
  const [heldMark, setHeldMark] = useState<HeldMark | null>(null);
  const sources = useTextSources(draftStore, profile?.id);
  const { draftActions, openFile, split, input } = sources;
  useVoiceFromAddress(voice.choose);
  useDraftFrom("draft", (draft) => draftActions.open({ id: draft }));
  useDraftFrom("text", (draft) => draftActions.open({ id: draft }, { asText: true }));
  const previewRequest = usePreviewRequest(document, editor.paused, profile);
  // The pace of the beginning is that of a longer text.
  const preview = usePausedPreview(
    previewRequest && { ...previewRequest, text: previewRequest.text.slice(0, maxPreview) },
  );
  useTagButtons(editor, voice.isV3);
  const flow = useTextGeneration(draftStore, editor, voice);
  const { plan, isEdited } = flow.revision;
  useMarkOlder(flow.generation?.id, isEdited);
  const price = useTextPrice(voice, editor.paused, plan);
  const heard = useMarks(editor, flow, useChunkTexts(flow.generation, flow.running, document.max_chunk_chars));
  const screen = useRef<HTMLDivElement>(null);
  const follow = useFollow(screen, {
    text: `${opened}`,
    state: usePlaying(flow.generation?.id),
    passage: `${heard.isRevised}:${heard.chunk}`,
    show: () => editor.handle.current?.showPlaying(heardPart()),
  });
  const action = useRef<HTMLButtonElement>(null);
  const create = () => draftActions.create();
  const tools = useEditorTools({ editor, flow, openFile, create, chooseVoice: voice.pick });
  const page = { draftStore, editor, flow, voice };
  /** The script screen makes the script of the saved text. */
  const showScript = () => draftStore.release((id) => navigate(href("script", [id])));

  return (
    <div ref={screen} className="st-view">
      <TopStart>
        <ModeSwitch mode="text" change={showScript} />
        <DraftsMenu
          kind="text"
          current={id}
          actions={{ ...draftActions, openFile }}
          movesFocus={() => draftStore.state.get().opened !== opened}
        />
      </TopStart>
      <TopEnd>
        {price && !flow.running ? <TextPrice quote={price} /> : null}
        <GenerateButton ref={action} flow={flow} isFirst={id === undefined && document.generation_id === null} />
      </TopEnd>
      <FileInput ref={input} label={t("files.open")} accept={fileTypes} multiple onChoose={sources.openChosen} />
      <TextNotes {...page} sources={sources} action={action} />
      <TextPage {...page} sources={sources} onChange={follow.leave} onHold={setHeldMark} />
      <BackToPassage follow={follow} />
      <StatusBar
        length={editor.length}
        draftStore={draftStore}
        speed={voice.speed}
        language={language}
        preview={preview}
        toGenerate={plan?.generated ?? 0}
        showSpoken={tools.showSpoken}
      />
      <StudioInspector {...page} onGo={follow.leave} />
      <EditorToolDialogs tools={tools} editor={editor} language={language} previewRequest={previewRequest} />
      {heldMark ? (
        <TakesMenu
          held={heldMark}
          flow={flow}
          close={() => setHeldMark(null)}
          restoreFocus={() => editor.handle.current?.focus()}
        />
      ) : null}
      <SplitDialog split={split} />
      <ConfirmDialog request={flow.confirmation.request} answer={flow.confirmation.answer} />
      <VoiceDialogs voice={voice} flow={flow} opened={opened} length={editor.length} />
    </div>
  );
}
