import { Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuote, useShownQuote } from "@/api/hosted";
import type { GenerateRequest, Generation, Profile } from "@/api/types";
import { useDraftFrom } from "@/lib/draftLink";
import { href, navigate } from "@/lib/router";
import { Inspector, TopEnd, TopStart } from "@/lib/slots";
import { TextPrice } from "@/features/hosted";
import { DraftsMenu } from "@/features/drafts/DraftsMenu";
import { TitleField } from "@/features/drafts/TitleField";
import { AwaitedVoice, VoicePicker } from "@/features/picker";
import { BackToPassage, useFollow } from "@/features/follow";
import { BetterVoicesCard } from "@/features/welcome";
import { useStore } from "@/lib/store";
import { heardPart, useMarkOlder, usePlaying } from "@/player";
import { SegmentedControl } from "@/ui";
import { useVoiceModel, usesSeed } from "./generation/voiceModel";
import { ConfirmDialog } from "./generation/ConfirmDialog";
import { hasV3, maxPreview, textOf, titleOf, toHostedRequest, toRequest, type Choices } from "./drafts/textDocument";
import { Editor } from "./editor/Editor";
import { StatusBar, usePausedPreview } from "./StatusBar";
import { GenerateButton } from "./generation/GenerateButton";
import { ExpressionSection } from "./inspector/ExpressionSection";
import { EnhanceSection } from "./inspector/EnhanceSection";
import { AdvancedSection } from "./inspector/AdvancedSection";
import { OutlineSection } from "./inspector/OutlineSection";
import { SpeechSection } from "./inspector/SpeechSection";
import { playFrom, TakesSection } from "./inspector/TakesSection";
import { VoiceSection } from "./inspector/VoiceSection";
import type { TextStore } from "./drafts/textStore";
import { GenerationError } from "./generation/GenerationError";
import { ConflictNote } from "./drafts/ConflictNote";
import { ImportStatus } from "./import/ImportStatus";
import { SplitDialog } from "./import/SplitDialog";
import { RevisionNote } from "./generation/RevisionNote";
import { StoppedNote } from "./generation/StoppedNote";
import { TakesMenu, type HeldMark } from "./inspector/TakesMenu";
import { EditorToolDialogs, useEditorTools } from "./editor/EditorTools";
import { fileTypes } from "@/lib/textFiles";
import { useVoiceFromAddress } from "./drafts/useOpenFromHistory";
import { useChunkTexts } from "./generation/useChunkTexts";
import { useGenerationFlow } from "./generation/useGenerationFlow";
import { useMarks, useEditor, useTagButtons } from "./editor/useEditor";
import { useSpeakAs } from "./generation/useSpeakAs";
import { usePreviewRequest } from "./generation/usePreviewRequest";
import { useTextSources } from "./import/useTextSources";
import { rememberVoice, useStoredVoice, useVoice } from "./generation/useVoice";

/** A choice: a text for one voice, or a script for several. */
function ModeSwitch({ draftStore }: { draftStore: TextStore }) {
  const { t } = useTranslation("studio");
  /** The script screen makes the script of the saved text. */
  const showScript = () => draftStore.release((id) => navigate(href("script", [id])));
  return (
    <SegmentedControl
      label={t("mode.label")}
      value="text"
      onChange={(mode) => {
        if (mode === "script") void showScript();
      }}
      segments={[
        { value: "text", label: t("mode.text") },
        { value: "script", label: t("mode.script") },
      ]}
    />
  );
}

/** Where a voice that is being downloaded is chosen. */
const place = "studio";

export function StudioScreen({ draftStore }: { draftStore: TextStore }) {
  const { t } = useTranslation("studio");
  const { document, opened, id, name } = useStore(draftStore.state);
  const editor = useEditor(draftStore);
  const { profile, isLoading, speed } = useVoice(document);
  const voiceModel = useVoiceModel(profile);
  useStoredVoice(draftStore, profile);
  const [picking, setPicking] = useState(false);
  const chooseVoice = (profile_id: string) => {
    draftStore.change((before) => ({ ...before, profile_id }));
    rememberVoice(profile_id);
  };
  const changeChoices = (choices: Partial<Choices>) => draftStore.change((before) => ({ ...before, ...choices }));
  const [heldMark, setHeldMark] = useState<HeldMark | null>(null);
  const { problems, draftActions, split, fileImport, showFullNotice, input, openFile, openChosen } = useTextSources(
    draftStore,
    profile?.id,
  );
  useVoiceFromAddress(chooseVoice);
  useDraftFrom("draft", (draft) => draftActions.open({ id: draft }));
  useDraftFrom("text", (draft) => draftActions.open({ id: draft }, { asText: true }));
  const previewRequest = usePreviewRequest(document, editor.paused, profile);
  // The pace of the beginning is that of a longer text.
  const preview = usePausedPreview(
    previewRequest && { ...previewRequest, text: previewRequest.text.slice(0, maxPreview) },
  );

  const isHosted = profile?.voice_type === "hosted";
  const isV3 = hasV3(profile);
  useTagButtons(editor, isV3);
  const priced = useMemo(
    () => (isHosted && editor.paused.trim() !== "" ? { profile_id: profile.id, text: editor.paused } : null),
    [isHosted, editor.paused, profile],
  );
  const fullPrice = useQuote(priced).data ?? null;
  const requestOf = (text: string, voice: Profile): GenerateRequest => {
    const title = titleOf(draftStore.state.get());
    return isHosted ? toHostedRequest(document, text, voice, title) : toRequest(document, text, voice.id, title);
  };
  const flow = useGenerationFlow({
    id: document.generation_id,
    opened,
    profile,
    isLoading,
    paused: profile ? requestOf(editor.paused, profile) : null,
    request: () => {
      const text = editor.handle.current?.text() ?? "";
      if (text.trim() === "") editor.handle.current?.focus();
      if (!profile && isLoading) return "later";
      if (!profile) setPicking(true);
      return text.trim() === "" || !profile ? null : requestOf(text, profile);
    },
    onAccepted: (generation: Generation, at: number) => {
      const open = draftStore.state.get(); // another draft, or this one reopened
      if (open.opened === at || (id !== undefined && open.id === id))
        draftStore.change((before) => ({ ...before, generation_id: generation.id }));
      rememberVoice(generation.profile_id);
    },
    onUndone: ({ text }) => editor.replaceText(text),
  });
  const { plan, isEdited } = flow.revision;
  useMarkOlder(flow.generation?.id, isEdited);
  const price = plan ? plan.quote : fullPrice;
  useShownQuote(priced ? price : null);
  const heard = useMarks(editor, flow, useChunkTexts(flow.generation, flow.running, document.max_chunk_chars));
  const screen = useRef<HTMLDivElement>(null);
  const follow = useFollow(screen, {
    text: `${opened}`,
    state: usePlaying(flow.generation?.id),
    passage: `${heard.isRevised}:${heard.chunk}`,
    show: () => editor.handle.current?.showPlaying(heardPart()),
  });
  const action = useRef<HTMLButtonElement>(null);
  const setSpeakAs = useSpeakAs(profile?.id, flow);
  const tools = useEditorTools({
    editor,
    flow,
    openFile,
    create: () => draftActions.create(),
    chooseVoice: () => setPicking(true),
  });

  return (
    <div ref={screen} className="st-view">
      <TopStart>
        <ModeSwitch draftStore={draftStore} />
        <DraftsMenu
          kind="text"
          current={id}
          actions={{ ...draftActions, openFile }}
          movesFocus={() => draftStore.state.get().opened !== opened}
        />
      </TopStart>
      <TopEnd>
        {priced && price && !flow.running ? <TextPrice quote={price} /> : null}
        <GenerateButton ref={action} flow={flow} isFirst={id === undefined && document.generation_id === null} />
      </TopEnd>
      <input
        ref={input}
        type="file"
        multiple
        accept={fileTypes}
        className="hidden"
        aria-label={t("files.open")}
        tabIndex={-1}
        onChange={(event) => {
          openChosen([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <ConflictNote draftStore={draftStore} actions={draftActions} />
      <StoppedNote flow={flow} action={action} />
      <RevisionNote flow={flow} action={action} />
      <GenerationError
        flow={flow}
        action={action}
        modelName={voiceModel.model?.model_name}
        chooseVoice={() => setPicking(true)}
      />
      <ImportStatus fileImport={fileImport} problems={problems} chooseFile={openFile} />
      <div className="st-scroll">
        {/* The text is in the language of its voice. */}
        <div className="contents" lang={profile?.language}>
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
              follow.leave();
            }}
            onChunk={editor.onChunk}
            onCursor={editor.onCursor}
            onMark={{
              play: (chunk) => {
                if (flow.generation) playFrom(flow.generation, chunk);
              },
              open: (chunk, mark) => setHeldMark({ chunk, mark }),
            }}
            onFiles={fileImport.open}
            onFull={showFullNotice}
            onTooLong={(text) => split.request({ title: "", text })}
          />
        </div>
        {flow.generation && !voiceModel.model ? (
          <Suspense fallback={null}>
            <BetterVoicesCard place={place} inUse={profile?.id} generation={flow.generation.id} />
          </Suspense>
        ) : null}
      </div>
      <BackToPassage follow={follow} />
      <StatusBar
        length={editor.length}
        draftStore={draftStore}
        speed={speed}
        language={profile?.language ?? ""}
        preview={preview}
        toGenerate={plan?.generated ?? 0}
        showSpoken={tools.showSpoken}
      />
      <Inspector title={t("voice.title")}>
        <VoiceSection profile={profile} voiceModel={voiceModel} isLoading={isLoading} choose={() => setPicking(true)} />
        <OutlineSection editor={editor} onGo={follow.leave} />
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
          change={changeChoices}
        />
        {isV3 ? <ExpressionSection chosen={document.hosted} change={changeChoices} /> : null}
        {isHosted ? null : (
          <AdvancedSection document={document} hasSteps={voiceModel.model?.steps ?? false} change={changeChoices} />
        )}
      </Inspector>
      <EditorToolDialogs
        tools={tools}
        editor={editor}
        language={profile?.language ?? ""}
        previewRequest={previewRequest}
      />
      {heldMark ? (
        <TakesMenu
          held={heldMark}
          flow={flow}
          close={() => setHeldMark(null)}
          restoreFocus={() => editor.handle.current?.focus()}
        />
      ) : null}
      <SplitDialog split={split} />
      <ConfirmDialog request={flow.confirmRequest} answer={flow.answer} />
      <AwaitedVoice
        place={place}
        value={profile?.id}
        isPicking={picking}
        onChoose={(voice, { speakAgain }) => {
          chooseVoice(voice.id);
          if (speakAgain !== undefined && speakAgain === flow.generation?.id) setSpeakAs(voice.id);
        }}
      />
      <VoicePicker
        open={picking}
        onClose={() => setPicking(false)}
        place={place}
        value={profile?.id ?? ""}
        onChoose={(voice) => {
          chooseVoice(voice.id);
          setPicking(false);
        }}
      />
    </div>
  );
}
