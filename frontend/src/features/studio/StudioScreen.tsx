import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Generation } from "@/api/types";
import { useDraftFrom } from "@/lib/draftLink";
import { href, navigate } from "@/lib/router";
import { Inspector, TopEnd, TopStart } from "@/lib/slots";
import { VoicePicker } from "@/features/picker";
import { BetterVoicesCard } from "@/features/welcome";
import { useStore } from "@/lib/store";
import { SegmentedControl } from "@/ui";
import { useSpeaker, usesSeed } from "./generation/voiceModel";
import { AskDialog } from "./generation/ConfirmDialog";
import { maxPreview, toRequest } from "./drafts/content";
import { DraftsMenu } from "./drafts/DraftsMenu";
import { Page } from "./editor/Editor";
import { Foot, usePausedPreview } from "./StatusBar";
import { GenerateButton } from "./generation/GenerateButton";
import { AdvancedSection } from "./inspector/AdvancedSection";
import { SpeechSection } from "./inspector/SpeechSection";
import { playFrom, TakesSection } from "./inspector/TakesSection";
import { VoiceSection } from "./inspector/VoiceSection";
import type { Keeper } from "./drafts/draftStore";
import { MakingError } from "./generation/GenerationError";
import { PartedNote } from "./drafts/ConflictNote";
import { Reading } from "./import/ImportStatus";
import { SplitDialog } from "./import/SplitDialog";
import { StoppedNote } from "./generation/StoppedNote";
import { TakesMenu, type HeldMark } from "./inspector/TakesMenu";
import { Tools, useTools } from "./editor/EditorTools";
import { fileTypes } from "./import/useFiles";
import { useVoiceFrom } from "./drafts/useOpenFromHistory";
import { useMaking } from "./generation/useGenerationFlow";
import { useMarks, usePage } from "./editor/useEditor";
import { usePreviewRequest } from "./generation/usePreviewRequest";
import { useTexts } from "./import/useTextSources";
import { rememberVoice, useKeptVoice, useVoice } from "./generation/useVoice";

/** A text for one voice, or a script for several. */
function ModeSwitch() {
  const { t } = useTranslation("studio");
  return (
    <SegmentedControl
      label={t("mode.label")}
      value="text"
      onChange={(mode) => {
        if (mode === "script") navigate(href("script"));
      }}
      segments={[
        { value: "text", label: t("mode.text") },
        { value: "script", label: t("mode.script") },
      ]}
    />
  );
}

export function Writing({ keeper }: { keeper: Keeper }) {
  const { t } = useTranslation("studio");
  const { content, opened, id } = useStore(keeper.state);
  const page = usePage(keeper);
  const { profile, isLoading, speed } = useVoice(content);
  const speaker = useSpeaker(profile);
  useKeptVoice(keeper, profile);
  const [picking, setPicking] = useState(false);
  const chooseVoice = (profile_id: string) => {
    keeper.change({ profile_id });
    rememberVoice(profile_id);
  };
  const [planned, setPlanned] = useState<readonly string[] | null>(null);
  const [held, setHeld] = useState<HeldMark | null>(null);
  const { problems, deeds, split, files, full, input, openFile } = useTexts(keeper, profile?.id);
  useVoiceFrom(chooseVoice);
  useDraftFrom((draft) => deeds.open({ id: draft }));
  const previewRequest = usePreviewRequest(content, page.paused, profile);
  const known = usePausedPreview(page.paused.length <= maxPreview ? previewRequest : null);

  const making = useMaking({
    id: content.generation_id,
    opened,
    profile,
    isLoading,
    request: () => {
      const text = page.handle.current?.text() ?? "";
      if (text.trim() === "") page.handle.current?.focus();
      if (!profile && isLoading) return "later";
      if (!profile) setPicking(true);
      if (text.trim() === "" || !profile) return null;
      setPlanned(known?.text === text ? (known.preview?.chunks ?? null) : null);
      return toRequest(content, text, profile.id);
    },
    onAccepted: (generation: Generation, at: number) => {
      const open = keeper.state.get(); // another draft, or this one again
      if (open.opened === at || (id !== undefined && open.id === id)) keeper.change({ generation_id: generation.id });
      rememberVoice(generation.profile_id);
    },
  });
  useMarks(page, making, planned);
  const tools = useTools({ page, making, files: openFile, create: () => deeds.create(), pick: () => setPicking(true) });

  return (
    <div className="st-view">
      <TopStart>
        <ModeSwitch />
        <DraftsMenu deeds={deeds} openFile={openFile} />
      </TopStart>
      <TopEnd>
        <GenerateButton making={making} isFirst={id === undefined && content.generation_id === null} />
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
          files.open([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <PartedNote keeper={keeper} deeds={deeds} />
      <StoppedNote making={making} />
      <MakingError making={making} modelName={speaker.model?.model_name} chooseVoice={() => setPicking(true)} />
      <Reading files={files} problems={problems} choose={openFile} />
      <div className="st-scroll">
        <Page
          key={opened}
          text={content.text}
          label={t("text")}
          placeholder={t("placeholder")}
          onReady={page.onReady}
          onChange={page.onChange}
          onChunks={page.onChunks}
          onMark={{
            play: (chunk) => {
              if (making.made) playFrom(making.made, chunk);
            },
            open: (chunk, mark) => setHeld({ chunk, mark }),
          }}
          onFiles={files.open}
          onFull={full}
          onTooLong={(text) => split.ask({ title: "", text })}
        />
        {making.made && !speaker.model ? (
          <Suspense fallback={null}>
            <BetterVoicesCard />
          </Suspense>
        ) : null}
      </div>
      <Foot
        length={page.length}
        keeper={keeper}
        speed={speed}
        language={profile?.language ?? ""}
        known={known}
        changed={page.chunks.changed}
        showSpoken={tools.showSpoken}
      />
      <Inspector title={t("voice.title")}>
        <VoiceSection profile={profile} speaker={speaker} isLoading={isLoading} choose={() => setPicking(true)} />
        <TakesSection key={`${making.made?.id}:${page.chunks.current}`} making={making} chunk={page.chunks.current} />
        <SpeechSection
          content={content}
          voiceSpeed={profile?.speed ?? 1}
          hasSeed={usesSeed(speaker.engine)}
          lastSeed={making.made?.seed}
          change={keeper.change}
        />
        <AdvancedSection content={content} hasSteps={speaker.model?.steps ?? false} change={keeper.change} />
      </Inspector>
      <Tools tools={tools} page={page} language={profile?.language ?? ""} previewRequest={previewRequest} />
      {held ? (
        <TakesMenu held={held} making={making} close={() => setHeld(null)} leave={() => page.handle.current?.focus()} />
      ) : null}
      <SplitDialog split={split} />
      <AskDialog question={making.question} answer={making.answer} />
      <VoicePicker
        open={picking}
        onClose={() => setPicking(false)}
        value={profile?.id ?? ""}
        onChoose={(voice) => {
          chooseVoice(voice.id);
          setPicking(false);
        }}
      />
    </div>
  );
}
