import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShortcut } from "@/app/commands";
import { href, navigate } from "@/app/router";
import { Inspector, TopEnd, TopStart } from "@/app/slots";
import type { Draft, Generation, Profile } from "@/api/types";
import { VoicePicker } from "@/features/picker";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, Kbd, ProgressButton, SegmentedControl, TextField, useUndo } from "@/ui";
import { Cast } from "./Cast";
import { DraftsMenu } from "./DraftsMenu";
import { newSpeaker, setSpeaker, setText, soundOf, speakable, speakerOf, wordCount, type ScriptContent, type Turn } from "./model";
import { Gap, Output } from "./Output";
import { TurnRow } from "./TurnRow";
import type { TurnState } from "./TurnMark";
import { useCastDeeds } from "./useCastDeeds";
import { useScriptDraft } from "./useScriptDraft";
import { useSpeaking } from "./useSpeaking";
import { useTurnKeys } from "./useTurnKeys";

const charactersPerSecond = 15;

function stateOf(script: ScriptContent, turn: Turn, generation: Generation | undefined): TurnState {
  const sound = soundOf(script, turn);
  if (sound !== "made" || !generation) return sound === "changed" ? "changed" : "none";
  const states: Partial<Record<Generation["status"], TurnState>> = { complete: "made", failed: "failed", cancelled: "stopped", generating: "making" };
  return states[generation.status] ?? "waiting";
}

function Modes() {
  const { t } = useTranslation("script");
  return <SegmentedControl label={t("mode")} value="script" segments={[{ value: "text", label: t("text") }, { value: "script", label: t("script") }]} onChange={(mode) => { if (mode === "text") navigate(href("studio")); }} />;
}

function Foot({ script, toMake }: { script: ScriptContent; toMake: number }) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const seconds = script.turns.reduce((sum, turn) => sum + turn.text.length, 0) / charactersPerSecond + ((script.turns.length - 1) * script.gapMs) / 1000;
  return (
    <footer className="flex min-h-8 flex-none flex-wrap items-center gap-x-4 border-t border-line px-4 text-12 text-ink-2">
      <span>{t("turns", { count: script.turns.length })}</span><span>{t("words", { count: wordCount(script) })}</span><span>{t("about", { time: format.clock(seconds) })}</span>
      <span className="flex-1" /><span>{toMake > 0 ? t("toMake", { count: toMake }) : null}</span>
    </footer>
  );
}

interface Props { draft: Draft | undefined; first: ScriptContent; drafts: readonly Draft[]; voices: readonly Profile[]; onSaved(id: string): void }

export function Page({ draft, first, drafts, voices, onSaved }: Props) {
  const { t } = useTranslation("script");
  const undo = useUndo();
  const nameOf = useCallback((s: ScriptContent) => (s.title.trim() || s.turns.find((turn) => turn.text.trim())?.text.trim() || t("untitled")).slice(0, 80), [t]);
  const { script, change, error: saveError } = useScriptDraft(draft, first, nameOf, onSaved);
  const speaking = useSpeaking(script, change);
  const fields = useRef(new Map<string, HTMLTextAreaElement>());
  const { keys, say } = useTurnKeys(script, change, voices, fields.current);
  const [choosing, setChoosing] = useState<string | null>(null);
  const cast = useCastDeeds(script, change, setChoosing);
  const ready = speakable(script).length > 0 && script.speakers.every((s) => s.profileId);
  const busy = speaking.running > 0 || speaking.isAsking;

  const refOf = useCallback((id: string) => (element: HTMLTextAreaElement | null) => {
    if (element) fields.current.set(id, element);
    else fields.current.delete(id);
  }, []);
  const deeds = useMemo(() => ({
    setText: (id: string, text: string) => change((s) => setText(s, id, text)),
    setSpeaker: (id: string, speakerId: string) => change((s) => setSpeaker(s, id, speakerId)),
    addSpeaker: (turnId: string) => change((s) => {
      const speaker = newSpeaker(s.speakers, t("speakerN", { n: s.speakers.length + 1 }), s.speakers[0]?.profileId ?? "");
      return setSpeaker({ ...s, speakers: [...s.speakers, speaker] }, turnId, speaker.id);
    }),
  }), [change, t]);
  function remove(id: string) {
    const before = script;
    change((s) => ({ ...s, turns: s.turns.filter((turn) => turn.id !== id) }));
    undo({ text: t("turnDeleted"), undo: () => change(before), commit: () => undefined });
  }
  const all = { ...deeds, remove, again: (g: Generation) => void speaking.sayAgain(g), retry: speaking.tryAgain };
  const speak = () => { if (ready && !busy) speaking.speakAll(); };
  useShortcut("mod+enter", t("speakAll"), speak);
  const chosen = script.speakers.find((s) => s.id === choosing);

  return (
    <div className="flex flex-col">
      <TopStart><Modes /><DraftsMenu drafts={drafts} current={draft?.id} /></TopStart>
      <TopEnd>
        {speaking.running > 0 ? <ProgressButton text={t("speaking", { done: speaking.done, total: speaking.total })} value={speaking.progress} onStop={speaking.stop} />
          : <Button kind="primary" shortcut="mod+enter" busy={speaking.isAsking} aria-disabled={!ready || undefined} hint={ready ? t("speakAll") : t("writeFirst")} onClick={speak}>{t("speakAll")}</Button>}
      </TopEnd>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6 narrow:px-10">
        <div className="mx-auto max-w-[792px]">
          <TextField className="mb-4 narrow:ms-[164px] narrow:me-[68px]" label={t("title")} value={script.title} maxLength={200} placeholder={t("untitled")} onChange={(title) => change((s) => ({ ...s, title }))} />
          {[saveError, speaking.error].map((error, i) => (error ? <div key={i} className="mb-4"><ErrorBox error={error} /></div> : null))}
          <ol aria-label={t("turnsLabel")}>
            {script.turns.map((turn, i) => {
              const speaker = speakerOf(script, turn) ?? script.speakers[0];
              const generation = speaking.generationOf(turn);
              if (!speaker) return null;
              return <TurnRow key={turn.id} turn={turn} n={i + 1} speaker={speaker} speakers={script.speakers} generation={generation} state={stateOf(script, turn, generation)} keys={keys} deeds={all} refOf={refOf}
                progress={generation ? speaking.progressOf(generation.id) : undefined} makingAgain={generation ? speaking.isMakingAgain(generation.id) : false} isOnly={script.turns.length === 1} />;
            })}
          </ol>
          <p id="script-keys" className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-ink-3 narrow:ps-[164px]">
            <span><Kbd keys="tab" /> {t("keys.speaker")}</span><span><Kbd keys="enter" /> {t("keys.turn")}</span><span><Kbd keys="escape" /> {t("keys.leave")}</span><span>{t("keys.paste")}</span>
          </p>
        </div>
      </div>
      <p className="sr-only" role="status">{say}</p>
      <Foot script={script} toMake={speaking.toMake} />
      <Inspector title={t("cast")}>
        <Cast script={script} voices={voices} deeds={cast} />
        <Gap script={script} onChange={(gapMs) => change((s) => ({ ...s, gapMs }))} />
        <Output script={script} speaking={speaking} />
      </Inspector>
      <VoicePicker open={chosen !== undefined} onClose={() => setChoosing(null)} value={chosen?.profileId} onChoose={(voice) => { cast.setVoice(chosen?.id ?? "", voice.id); setChoosing(null); }} />
    </div>
  );
}
