import { useCallback, useEffect, useRef, useState } from "react";
import { Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import { textHref } from "@/lib/draftLink";
import { navigate } from "@/lib/router";
import { Inspector, TopEnd, TopStart } from "@/lib/slots";
import type { ApiError } from "@/api/errors";
import type { HostedQuote } from "@/api/hosted";
import type { Profile } from "@/api/types";
import { PriceDialog, TextPrice, useWaitText } from "@/features/hosted";
import { DraftsMenu } from "@/features/drafts/DraftsMenu";
import { ModeSwitch } from "@/features/drafts/ModeSwitch";
import { TitleField } from "@/features/drafts/TitleField";
import { AwaitedVoice, VoicePicker } from "@/features/picker";
import { BackToPassage } from "@/features/follow";
import { useFormat } from "@/i18n/format";
import { useStore } from "@/lib/store";
import { useMarkOlder } from "@/player";
import { ActionButton, ActionProgress, Button, ErrorBox } from "@/ui";
import { Cast } from "./Cast";
import { enhanceable, hostedMode } from "./hosted";
import { derivedTitle, wordCount, type ScriptContent, type Speaker } from "./model";
import { ConflictNote, SharedVoiceNote } from "./Notes";
import { GapSlider, Output } from "./Output";
import { PastedDialog } from "./PastedDialog";
import { KeyHints, Turns } from "./Turns";
import { useFind } from "./useFind";
import { useCastActions } from "./useCastActions";
import { useEnhance, type Enhance } from "./useEnhance";
import { useGenerateAll, type GenerateAll } from "./useGenerateAll";
import type { ScriptStore } from "./scriptStore";
import { useScriptDrafts } from "./useScriptDrafts";
import { useScriptKeys } from "./useScriptKeys";
import { useScriptFile } from "./useScriptFile";
import { useScriptLength } from "./useScriptLength";
import { useScriptPrice } from "./useScriptPrice";
import { useScriptFollow } from "./useScriptFollow";
import { useScriptGeneration, type ScriptFlow } from "./useScriptGeneration";
import { useTurnActions } from "./useTurnActions";
import { useTurnKeys } from "./useTurnKeys";

interface StatusProps {
  script: ScriptContent;
  voices: readonly Profile[];
  price: HostedQuote | null;
  enhance: Enhance;
  toMake: number;
}

function StatusBar({ script, voices, price, enhance, toMake }: StatusProps) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const seconds = useScriptLength(script);
  return (
    <footer className="flex min-h-8 flex-none flex-wrap items-center gap-x-4 border-t border-line px-4 text-12 text-ink-2">
      <span>{t("turns", { count: script.turns.length })}</span>
      <span>{t("words", { count: wordCount(script) })}</span>
      {seconds === null ? null : <span>{t("about", { time: format.clock(seconds) })}</span>}
      {hostedMode(script, voices) === "dialogue" ? (
        <span title={t("dialogue.hint")}>{t("dialogue.calls", { count: price?.calls ?? 1 })}</span>
      ) : null}
      {enhanceable(script, voices).length > 0 ? (
        <Button
          size="small"
          icon={<Sparkles size={14} aria-hidden />}
          busy={enhance.isBusy}
          hint={t("enhance.hint")}
          onClick={enhance.run}
        >
          {t("enhance.run")}
        </Button>
      ) : null}
      <span className="flex-1" />
      <span>{toMake > 0 ? t("toMake", { count: toMake }) : null}</span>
    </footer>
  );
}

function GenerateAllButton({ flow, generateAll }: { flow: ScriptFlow; generateAll: GenerateAll }) {
  const { t } = useTranslation("script");
  const waiting = useWaitText(flow.wait ?? null);
  const progress = waiting || t("speaking", { done: flow.done, total: flow.total });
  return (
    <ActionButton
      progress={flow.running > 0 ? <ActionProgress text={progress} value={flow.progress} /> : null}
      onStop={flow.stop}
      shortcut="mod+enter"
      busy={flow.isRequesting}
      aria-disabled={!generateAll.isReady || undefined}
      hint={generateAll.hint}
      onClick={generateAll.run}
    >
      {generateAll.label}
    </ActionButton>
  );
}

interface Props {
  store: ScriptStore;
  voices: readonly Profile[];
}

/** Where a voice that is being downloaded is chosen. */
const placeOf = (speaker: Speaker): string => `speaker:${speaker.id}`;

/** The errors of a script, each once: without a connection, saving and generating fail alike. */
function Errors({ errors }: { errors: readonly (ApiError | null)[] }) {
  const byCode = new Map(errors.flatMap((error) => (error ? [[error.code, error] as const] : [])));
  return [...byCode].map(([code, error]) => (
    <div key={code} className="mb-4">
      <ErrorBox error={error} />
    </div>
  ));
}

export function ScriptScreen({ store, voices }: Props) {
  const { t } = useTranslation("script");
  const { document: script, id, opened, error: saveError, conflict } = useStore(store.state);
  const { change } = store;
  /** The Studio makes the text of the saved script. */
  const showText = () => store.release((id) => navigate(textHref(id)));
  useEffect(() => () => store.detach(), [store]);
  const drafts = useScriptDrafts(store);
  const flow = useScriptGeneration(script, opened, change, store.note);
  useMarkOlder(flow.stored?.id, flow.isOlder);
  const [fields] = useState(() => new Map<string, HTMLTextAreaElement>());
  const { keys, said, say, goTo, current: currentTurn, pasted } = useTurnKeys(store, voices, fields);
  useScriptFile(store, keys.paste);
  const turnActions = useTurnActions(store, flow, goTo);
  const [choosingFor, setChoosingFor] = useState<string | null>(null);
  const castActions = useCastActions(script, change, setChoosingFor);
  const price = useScriptPrice(script, voices, flow);
  const enhance = useEnhance(store, voices);
  const generateAll = useGenerateAll(script, flow, voices);
  useScriptKeys({ keys, flow, store, current: currentTurn, goTo, say, generate: generateAll.run });
  const frame = useRef<HTMLDivElement>(null);
  const { follow, playing } = useScriptFollow(frame, script, flow, fields);
  const find = useFind(store, script, fields, follow.leave);
  const register = useCallback(
    (turnId: string, element: HTMLTextAreaElement | null) => {
      if (element) fields.set(turnId, element);
      else fields.delete(turnId);
    },
    [fields],
  );
  const [isNew] = useState(id === undefined);
  useEffect(() => {
    if (isNew) fields.values().next().value?.focus(); // ready to type
  }, [isNew, fields]);
  const chosen = script.speakers.find((s) => s.id === choosingFor);

  return (
    <div className="flex flex-col">
      <TopStart>
        <ModeSwitch mode="script" change={showText} />
        <DraftsMenu kind="script" current={id} actions={drafts} />
      </TopStart>
      <TopEnd>
        {price && flow.running === 0 ? <TextPrice quote={price} /> : null}
        <GenerateAllButton flow={flow} generateAll={generateAll} />
      </TopEnd>
      {find.panel}
      <div ref={frame} className="min-h-0 flex-1 overflow-y-auto px-4 py-6 narrow:px-10 low:py-3">
        <div className="mx-auto max-w-[792px]">
          <div className="mb-4 ms-9 me-[68px] ps-[18px] narrow:ms-[176px]">
            <TitleField
              label={t("title")}
              value={script.title}
              placeholder={derivedTitle(script) || t("untitled")}
              onChange={(title) => change((s) => ({ ...s, title }))}
            />
          </div>
          {conflict ? <ConflictNote conflict={conflict} current={id} close={store.dismissConflict} /> : null}
          <Errors errors={[saveError, flow.error, enhance.error, drafts.error]} />
          <Turns
            script={script}
            voices={voices}
            flow={flow}
            keys={keys}
            actions={turnActions}
            find={find}
            register={register}
            playing={playing}
          />
          <div className="ms-9 me-[68px] ps-[18px] narrow:ms-[176px]">
            <SharedVoiceNote script={script} voices={voices} change={change} choose={setChoosingFor} />
            <KeyHints />
          </div>
        </div>
      </div>
      <BackToPassage follow={follow} />
      <p className="sr-only" role="status">
        {said}
      </p>
      <StatusBar script={script} voices={voices} price={price} enhance={enhance} toMake={flow.turnsWithoutAudio} />
      <Inspector title={t("cast")}>
        <Cast script={script} voices={voices} actions={castActions} />
        <GapSlider
          script={script}
          isDialogue={hostedMode(script, voices) === "dialogue"}
          onChange={(gapMs) => change((s) => ({ ...s, gapMs }))}
        />
        <Output script={script} flow={flow} generateAll={generateAll} />
      </Inspector>
      {pasted ? (
        <PastedDialog
          {...pasted}
          labels={{ turns: (count) => t("check.insert", { count }), text: t("check.asText") }}
        />
      ) : null}
      {flow.price ? <PriceDialog credits={flow.price.credits} answer={flow.answerPrice} /> : null}
      {script.speakers.map((speaker) => (
        <AwaitedVoice
          key={speaker.id}
          place={placeOf(speaker)}
          value={speaker.profileId}
          isPicking={chosen?.id === speaker.id}
          onChoose={(voice) => castActions.setVoice(speaker.id, voice.id)}
        />
      ))}
      <VoicePicker
        open={chosen !== undefined}
        onClose={() => setChoosingFor(null)}
        place={chosen && placeOf(chosen)}
        value={chosen?.profileId}
        onChoose={(voice) => {
          castActions.setVoice(chosen?.id ?? "", voice.id);
          setChoosingFor(null);
        }}
      />
    </div>
  );
}
