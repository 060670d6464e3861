import { Suspense, useRef, useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { useModel } from "@/api/models";
import type { Generation } from "@/api/types";
import { href, navigate } from "@/app/router";
import { Inspector, TopEnd, TopStart } from "@/app/slots";
import { VoicePicker } from "@/features/picker";
import { useStore } from "@/lib/store";
import { Button, ErrorBox, IconButton, ProgressBar, SegmentedControl } from "@/ui";
import { X } from "lucide-react";
import { AskDialog } from "./AskDialog";
import { maxPreview, toRequest } from "./content";
import { DraftsMenu } from "./DraftsMenu";
import { Page } from "./editor/Page";
import { Foot, usePausedPreview } from "./Foot";
import { GenerateButton } from "./GenerateButton";
import { AdvancedSection } from "./inspector/AdvancedSection";
import { SpeechSection } from "./inspector/SpeechSection";
import { playFrom, TakesSection } from "./inspector/TakesSection";
import { VoiceSection } from "./inspector/VoiceSection";
import type { Keeper } from "./keeper";
import { MakingError } from "./MakingError";
import { PartedNote } from "./PartedNote";
import { TakesMenu, type HeldMark } from "./TakesMenu";
import { Tools, useTools } from "./Tools";
import { useDraftDeeds } from "./useDraftDeeds";
import { fileTypes, useCutWords, useFiles } from "./useFiles";
import { useFrom, useVoiceFrom } from "./useFrom";
import { useMaking } from "./useMaking";
import { useMarks, usePage } from "./usePage";
import { usePreviewRequest } from "./usePreviewRequest";
import { BetterVoicesCard } from "@/features/welcome";
import { useVoice } from "./useVoice";

type Files = ReturnType<typeof useFiles>;

function Reading({ files }: { files: Files }) {
  const { t } = useTranslation("studio");
  if (files.reading !== null) return <div className="st-error"><ProgressBar label={t("files.reading", { name: files.reading })} value={null} text={t("files.reading", { name: files.reading })} /></div>;
  if (!files.error) return null;
  return (
    <div className="st-error"><ErrorBox error={files.error} action={(
      <span className="flex flex-none gap-1"><Button size="small" onClick={files.again}>{t("common:retry")}</Button><IconButton label={t("common:close")} icon={<X size={14} />} onClick={files.dismiss} /></span>
    )} /></div>
  );
}

/** A text for one voice, or a script for several. */
function ModeSwitch() {
  const { t } = useTranslation("studio");
  return <SegmentedControl label={t("mode.label")} value="text" onChange={(mode) => { if (mode === "script") navigate(href("script")); }} segments={[{ value: "text", label: t("mode.text") }, { value: "script", label: t("mode.script") }]} />;
}

export function Writing({ keeper }: { keeper: Keeper }) {
  const { t } = useTranslation("studio");
  const { content, opened, id } = useStore(keeper.state);
  const page = usePage(keeper);
  const { profile, isLoading, speed } = useVoice(content);
  const [picking, setPicking] = useState(false);
  const [planned, setPlanned] = useState<readonly string[] | null>(null);
  const [isOver, setIsOver] = useState(false);
  const [held, setHeld] = useState<HeldMark | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const [notOpened, setNotOpened] = useState<unknown>(null);
  const deeds = useDraftDeeds(keeper, setNotOpened);
  const files = useFiles(deeds);
  const cutWords = useCutWords();
  useFrom(deeds, setNotOpened);
  useVoiceFrom((profile_id) => keeper.change({ profile_id }));
  const previewRequest = usePreviewRequest(content, page.paused, profile);
  const known = usePausedPreview(page.paused.length <= maxPreview ? previewRequest : null);
  const model = useModel(profile?.model_name);

  const making = useMaking({
    id: content.generation_id, profile,
    request: () => {
      const text = page.handle.current?.text() ?? "";
      if (text.trim() === "") page.handle.current?.focus();
      if (!profile) setPicking(true);
      if (text.trim() === "" || !profile) return null;
      setPlanned(known?.text === text ? known.preview?.chunks ?? null : null);
      return toRequest(content, text, profile.id);
    },
    onAccepted: (generation: Generation) => keeper.change({ generation_id: generation.id }),
  });
  useMarks(page, making, planned);
  function openFile() {
    const dialog = window.go?.app?.Bridge?.OpenText;
    if (!dialog) input.current?.click();
    else void dialog().then((doc) => { if (doc) deeds.create({ text: doc.text }, doc.title || undefined); }, setNotOpened);
  }
  const tools = useTools({ page, making, files: openFile, create: () => deeds.create(), pick: () => setPicking(true) });

  function onDrop(event: DragEvent) {
    setIsOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    files.open([...event.dataTransfer.files]);
  }
  function onDragOver(event: DragEvent) {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    setIsOver(true);
  }
  return (
    <div className="st-view" data-over={isOver ? "" : undefined} onDragOver={onDragOver} onDragLeave={() => setIsOver(false)} onDrop={onDrop}>
      <TopStart><ModeSwitch /><DraftsMenu deeds={deeds} openFile={openFile} /></TopStart>
      <TopEnd><GenerateButton making={making} isFirst={id === undefined && content.generation_id === null} /></TopEnd>
      <input ref={input} type="file" accept={fileTypes} className="hidden" aria-label={t("files.open")} tabIndex={-1} onChange={(event) => { files.open([...(event.target.files ?? [])]); event.target.value = ""; }} />
      <PartedNote keeper={keeper} deeds={deeds} />
      <MakingError making={making} chooseVoice={() => setPicking(true)} />
      <Reading files={files} />
      {notOpened ? <div className="st-error"><ErrorBox error={notOpened} action={<IconButton label={t("common:close")} icon={<X size={14} />} onClick={() => setNotOpened(null)} />} /></div> : null}
      <div className="st-scroll">
        <Page key={opened} text={content.text} label={t("text")} placeholder={t("placeholder")} onReady={page.onReady} onChange={page.onChange} onChunks={page.onChunks}
          onMark={{ play: (chunk) => { if (making.made) playFrom(making.made, chunk); }, open: (chunk, mark) => setHeld({ chunk, mark }) }} onFiles={files.open} onCut={cutWords} />
      </div>
      <Foot length={page.length} keeper={keeper} speed={speed} language={profile?.language ?? ""} known={known} changed={page.chunks.changed} showSpoken={tools.showSpoken} />
      <Inspector title={t("voice.title")}>
        <VoiceSection profile={profile} isLoading={isLoading} choose={() => setPicking(true)} />
        {making.made ? <Suspense fallback={null}><BetterVoicesCard className="mx-4 my-3" /></Suspense> : null}
        <TakesSection key={`${making.made?.id}:${page.chunks.current}`} making={making} chunk={page.chunks.current} />
        <SpeechSection content={content} voiceSpeed={profile?.speed ?? 1} lastSeed={making.made?.seed} change={keeper.change} />
        <AdvancedSection content={content} voiceSpeed={profile?.speed ?? 1} hasSteps={model?.steps ?? false} change={keeper.change} />
      </Inspector>
      <Tools tools={tools} page={page} language={profile?.language ?? ""} previewRequest={previewRequest} />
      {held ? <TakesMenu held={held} making={making} close={() => setHeld(null)} leave={() => page.handle.current?.focus()} /> : null}
      <AskDialog question={making.question} answer={making.answer} />
      <VoicePicker open={picking} onClose={() => setPicking(false)} value={profile?.id ?? ""} onChoose={(voice) => { keeper.change({ profile_id: voice.id }); setPicking(false); }} />
    </div>
  );
}
