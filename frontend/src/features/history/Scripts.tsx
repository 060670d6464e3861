import { FileText, MessagesSquare, Pause, Play, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { joinedSound, nameOfScript, readScript, useScripts } from "@/api/scripts";
import { hasEnded, type ScriptRow as ScriptRowData } from "@/api/types";
import { href, navigate } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { player, usePlaying } from "@/player";
import { Button, EmptyState, ErrorBox, IconButton, Portrait, ProgressBar, Row, VirtualList } from "@/ui";
import { setProblem, useHidden } from "./state";
import { useDeletion } from "./useDeletion";

interface Props {
  active: string | null;
  onActive(id: string): void;
}

/** The scripts: each a row with its joined audio. */
export function Scripts({ active, onActive }: Props) {
  const { t } = useTranslation("history");
  const list = useScripts();
  const hidden = useHidden();
  const scripts = list.items.filter((script) => !hidden.has(script.id));
  if (list.error)
    return (
      <div className="p-4">
        <ErrorBox
          error={list.error}
          action={
            <Button size="small" onClick={() => void list.refetch()}>
              {t("common:retry")}
            </Button>
          }
        />
      </div>
    );
  if (!list.isLoading && scripts.length === 0) {
    return (
      <EmptyState
        icon={<MessagesSquare size={24} aria-hidden />}
        title={t("scripts.none")}
        action={<Button onClick={() => navigate(href("studio"))}>{t("toStudio")}</Button>}
      >
        {t("scripts.noneHint")}
      </EmptyState>
    );
  }
  return (
    <VirtualList
      items={scripts}
      keyOf={(script) => script.id}
      estimate={52}
      label={t("scripts.list")}
      className="min-h-0 flex-1"
      onEnd={() => {
        if (list.hasMore && !list.isLoadingMore) void list.loadMore();
      }}
      render={(script) => <ScriptRow script={script} isActive={script.id === active} onActive={onActive} />}
    />
  );
}

/** Plays a script, which is fetched first, because list rows hold only the start of each text. */
async function play(id: string): Promise<void> {
  try {
    const sound = joinedSound(await readScript(id));
    if (sound) player.load(sound, { play: true });
  } catch (error) {
    setProblem(error);
  }
}

interface RowProps extends Omit<Props, "active"> {
  script: ScriptRowData;
  isActive: boolean;
}

function ScriptRow({ script, isActive, onActive }: RowProps) {
  const { t } = useTranslation("history");
  const voiceName = useVoiceName();
  const format = useFormat();
  const remove = useDeletion();
  const state = usePlaying(script.id);
  const name = nameOfScript(script) || t("scripts.untitled");
  const ended = script.turns.filter((turn) => hasEnded(turn.status)).length;
  const voices = [...new Map(script.turns.map((turn) => [turn.profile_id, voiceName(turn.profile_name)]))];
  return (
    <Row height="tall" selected={isActive}>
      {script.audio_url !== "" && script.turns.length > 0 ? (
        <IconButton
          label={t(state === "playing" ? "common:player.pause" : "common:player.play")}
          icon={state === "playing" ? <Pause size={14} fill="currentColor" /> : <Play size={14} fill="currentColor" />}
          onClick={() => (state === "other" ? void play(script.id) : player.toggle())}
        />
      ) : (
        <span className="grid w-7 place-items-center text-ink-3">
          <FileText size={16} aria-hidden />
        </span>
      )}
      <button
        type="button"
        className="min-w-0 flex-1 self-stretch text-start"
        aria-pressed={isActive}
        onClick={() => onActive(script.id)}
      >
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-12 text-ink-3">
          {t("scripts.turns", { count: script.turns.length })} · {format.list(voices.map(([, voice]) => voice))}
        </span>
      </button>
      {ended < script.turns.length ? (
        <div className="w-36 shrink-0">
          <ProgressBar
            label={t("progressOf")}
            value={ended / script.turns.length}
            text={t("scripts.turnsDone", { done: ended, total: script.turns.length })}
          />
        </div>
      ) : null}
      <span className="flex shrink-0 gap-1 @max-[520px]/main:hidden">
        {voices.slice(0, 4).map(([id]) => (
          <Portrait key={id} id={id} size={20} />
        ))}
      </span>
      <span className="w-12 shrink-0 text-end text-12 text-ink-2">
        {script.duration > 0 ? format.length(script.duration) : null}
      </span>
      <time className="w-28 shrink-0 text-end text-12 text-ink-3 @max-[640px]/main:hidden" dateTime={script.created_at}>
        {format.date(script.created_at)}
      </time>
      <IconButton
        label={t("scripts.delete", { name })}
        className="k-later"
        icon={<Trash2 size={16} />}
        onClick={() => remove.script(script.id)}
      />
    </Row>
  );
}
