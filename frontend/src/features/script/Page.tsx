import { X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCommands, useShortcut } from "@/app/commands";
import { href, navigate } from "@/app/router";
import { Inspector, TopEnd, TopStart } from "@/app/slots";
import type { Parted } from "@/api/drafts";
import type { Generation, Profile } from "@/api/types";
import { VoicePicker } from "@/features/picker";
import { player } from "@/player";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, Kbd, ProgressButton, SegmentedControl, TextField, useUndo } from "@/ui";
import { Cast } from "./Cast";
import { DraftsMenu } from "./DraftsMenu";
import { newSpeaker, putBack, setSpeaker, setText, soundOf, speakable, speakerOf, wordCount, type ScriptContent, type Turn } from "./model";
import { Gap, Output } from "./Output";
import { TurnRow, type TurnDeeds } from "./TurnRow";
import type { TurnState } from "./TurnMark";
import { useCastDeeds } from "./useCastDeeds";
import { useScriptDraft, type ScriptWords, type Start } from "./useScriptDraft";
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

/** Two windows wrote on one script: says which is which, and opens the other one. */
function PartedNote({ parted, current, close }: { parted: Parted; current: string | undefined; close(): void }) {
  const { t } = useTranslation("script");
  const other = current === parted.copyId ? { id: parted.id, name: parted.name } : { id: parted.copyId, name: parted.copyName };
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded bg-fill p-2 ps-3" role="status">
      <p className="min-w-0 flex-1 break-words">{t("parted.text", { name: parted.name, copy: parted.copyName })}</p>
      <Button size="small" onClick={() => { close(); navigate(href("script", [other.id])); }}>{t("parted.open", { name: other.name })}</Button>
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={close} />
    </div>
  );
}

interface Props { start: Start; current: string | undefined; words: ScriptWords; voices: readonly Profile[]; onSaved(id: string): void }

export function Page({ start, current, words, voices, onSaved }: Props) {
  const { t } = useTranslation("script");
  const undo = useUndo();
  const { script, change, note, error: saveError, parted, dismissParted } = useScriptDraft({ ...start, words, onCreated: onSaved });
  const speaking = useSpeaking(script, change, note);
  const fields = useRef(new Map<string, HTMLTextAreaElement>());
  const { keys, say, current: currentTurn } = useTurnKeys(script, change, voices, fields.current);
  const [choosing, setChoosing] = useState<string | null>(null);
  const cast = useCastDeeds(script, change, setChoosing);
  const ready = speakable(script).length > 0 && script.speakers.every((s) => s.profileId);
  const busy = speaking.running > 0 || speaking.isAsking;

  const register = useCallback((id: string, element: HTMLTextAreaElement | null) => {
    if (element) fields.current.set(id, element);
    else fields.current.delete(id);
  }, []);
  const latest = useRef({ script, speaking, undo });
  useEffect(() => { latest.current = { script, speaking, undo }; });
  const deeds = useMemo<TurnDeeds>(() => ({
    setText: (id, text) => change((s) => setText(s, id, text)),
    setSpeaker: (id, speakerId) => change((s) => setSpeaker(s, id, speakerId)),
    addSpeaker: (turnId) => change((s) => {
      const speaker = newSpeaker(s.speakers, t("speakerN", { n: s.speakers.length + 1 }), s.speakers[0]?.profileId ?? "");
      return setSpeaker({ ...s, speakers: [...s.speakers, speaker] }, turnId, speaker.id);
    }),
    remove: (id) => {
      const before = latest.current.script.turns;
      change((s) => ({ ...s, turns: s.turns.filter((turn) => turn.id !== id) }));
      latest.current.undo({ text: t("turnDeleted"), undo: () => change((s) => putBack(s, before, id)), commit: () => undefined });
    },
    again: (g) => void latest.current.speaking.sayAgain(g),
    retry: (id) => latest.current.speaking.tryAgain(id),
  }), [change, t]);
  const speak = () => { if (ready && !busy) speaking.speakAll(); };
  useShortcut("mod+enter", t("speakAll"), speak);
  function onCurrent(run: (generation: Generation) => void): void {
    const turn = currentTurn();
    const generation = turn ? speaking.generationOf(turn) : undefined;
    if (generation?.status === "complete") run(generation);
  }
  useCommands(speaking.done > 0 ? [
    { id: "script:play", title: t("playHere"), shortcut: "mod+shift+enter", run: () => onCurrent((g) => player.load(g, { play: true, at: 0 })) },
    { id: "script:again", title: t("againHere"), shortcut: "mod+shift+u", run: () => onCurrent((g) => { if (!speaking.isMakingAgain(g.id)) void speaking.sayAgain(g); }) },
  ] : []);
  const isNew = start.draft === undefined;
  useEffect(() => { if (isNew) fields.current.values().next().value?.focus(); }, [isNew]); // to write at once
  const chosen = script.speakers.find((s) => s.id === choosing);

  return (
    <div className="flex flex-col">
      <TopStart><Modes /><DraftsMenu current={current} /></TopStart>
      <TopEnd>
        {speaking.running > 0 ? <ProgressButton text={t("speaking", { done: speaking.done, total: speaking.total })} value={speaking.progress} onStop={speaking.stop} />
          : <Button kind="primary" shortcut="mod+enter" busy={speaking.isAsking} aria-disabled={!ready || undefined} hint={ready ? t("speakAll") : t("writeFirst")} onClick={speak}>{t("speakAll")}</Button>}
      </TopEnd>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6 narrow:px-10 [@media(max-height:500px)]:py-3">
        <div className="mx-auto max-w-[792px]">
          <TextField className="mb-4 narrow:ms-[164px] narrow:me-[68px]" label={t("title")} value={script.title} maxLength={200} placeholder={t("untitled")} onChange={(title) => change((s) => ({ ...s, title }))} />
          {parted ? <PartedNote parted={parted} current={current} close={dismissParted} /> : null}
          {[saveError, speaking.error].map((error, i) => (error ? <div key={i} className="mb-4"><ErrorBox error={error} /></div> : null))}
          <ol aria-label={t("turnsLabel")} onBlur={(event) => { if (!event.currentTarget.contains(event.relatedTarget)) keys.stopLeaving(); }}>
            {script.turns.map((turn, i) => {
              const speaker = speakerOf(script, turn) ?? script.speakers[0];
              const generation = speaking.generationOf(turn);
              if (!speaker) return null;
              return <TurnRow key={turn.id} turn={turn} n={i + 1} speaker={speaker} speakers={script.speakers} generation={generation} state={stateOf(script, turn, generation)} keys={keys} deeds={deeds} register={register}
                makingAgain={generation ? speaking.isMakingAgain(generation.id) : false} isOnly={script.turns.length === 1} />;
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
