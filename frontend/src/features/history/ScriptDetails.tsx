import { Download, Merge, MoreHorizontal, Play, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useRetryGeneration } from "@/api/generations";
import { joinedSound, joinedTurns, nameOfScript, useJoinScript, useScript } from "@/api/scripts";
import type { Generation, Script } from "@/api/types";
import { saveAs, type SaveRequest } from "@/api/save";
import { useSystem } from "@/api/system";
import { asRead } from "@/lib/heading";
import { Inspector } from "@/lib/slots";
import { useErrorText } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { exportGroups, exportSound, player, usePlayingChunk, useSoundChoice } from "@/player";
import { Button, cx, ErrorBox, IconButton, Menu, Portrait, type MenuGroups } from "@/ui";
import { canJoin, isRunning } from "./joinedScript";
import { setProblem } from "./state";

/** A script with its turns: play each, join them again. */
export function ScriptDetails({ id }: { id: string }) {
  const { t } = useTranslation("history");
  const { data, error } = useScript(id);
  return (
    <Inspector title={data ? nameOfScript(data) || t("scripts.untitled") : t("common:details")}>
      {error ? (
        <section>
          <ErrorBox error={error} />
        </section>
      ) : null}
      {data ? (
        <>
          <Head script={data} />
          <Turns script={data} />
        </>
      ) : null}
    </Inspector>
  );
}

function Head({ script }: { script: Script }) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const join = useJoinScript();
  const sound = joinedSound(script);
  const encoders = useSystem().data?.encoders;
  const chosen = useSoundChoice();
  async function save(request: SaveRequest) {
    try {
      await saveAs({ id: script.id, title: script.title, text: sound?.text ?? "" }, request, t("file"));
    } catch (error) {
      setProblem(error);
    }
  }
  const exported = { name: script.title || t("file"), save: (request: SaveRequest) => void save(request) };
  const more: MenuGroups = [
    ...exportGroups(t, exported),
    ...(canJoin(script)
      ? [
          [
            {
              label: t("scripts.joinAgain"),
              icon: <Merge size={16} aria-hidden />,
              onSelect: () => {
                if (!join.isPending) join.mutate(script.id);
              },
            },
          ],
        ]
      : []),
  ];
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-12 text-ink-3">
        {[
          t("scripts.turns", { count: script.turns.length }),
          ...(script.duration > 0 ? [format.length(script.duration)] : []),
          t("scripts.gap", { time: format.number(script.gap_ms / 1000) }),
        ].join(" · ")}
      </p>
      <div className="flex flex-wrap gap-2">
        {sound ? (
          <Button
            kind="primary"
            size="small"
            icon={<Download size={16} aria-hidden />}
            onClick={() => exportSound(exported, encoders)}
          >
            {t("common:export.as", { format: chosen.format.toUpperCase() })}
          </Button>
        ) : null}
        {sound ? (
          <Button
            size="small"
            icon={<Play size={14} fill="currentColor" aria-hidden />}
            onClick={() => player.load(sound, { play: true, at: 0 })}
          >
            {t("scripts.play")}
          </Button>
        ) : canJoin(script) ? (
          <Button
            size="small"
            busy={join.isPending}
            icon={<Merge size={16} aria-hidden />}
            onClick={() => join.mutate(script.id)}
          >
            {t(join.isPending ? "scripts.joining" : "scripts.join")}
          </Button>
        ) : null}
        {sound ? (
          <Menu align="start" groups={more}>
            <IconButton kind="plain" label={t("common:more")} icon={<MoreHorizontal size={16} />} />
          </Menu>
        ) : null}
        {sound && join.isPending ? (
          <span className="flex items-center gap-2 text-12 text-ink-2" role="status">
            <span className="k-spin" aria-hidden />
            {t("scripts.joining")}
          </span>
        ) : null}
      </div>
      {canJoin(script) || isRunning(script) ? null : <p className="text-12 text-ink-2">{t("scripts.incomplete")}</p>}
      {join.error ? <ErrorBox error={join.error} /> : null}
    </section>
  );
}

function Turns({ script }: { script: Script }) {
  const { t } = useTranslation("history");
  const sounding = joinedTurns(script)[usePlayingChunk(script.id)]?.id; // of all lines of a dialogue
  return (
    <section aria-label={t("scripts.turnsTitle")}>
      <h3 className="mb-1 text-12 font-medium text-ink-2">{t("scripts.turnsTitle")}</h3>
      <ol>
        {script.turns.map((turn, i) => (
          <Turn
            key={`${turn.id}:${String(i)}`}
            turn={turn}
            speaker={script.speakers[i] ?? ""}
            isSounding={turn.id === sounding}
          />
        ))}
      </ol>
    </section>
  );
}

function Turn({ turn, speaker, isSounding }: { turn: Generation; speaker: string; isSounding: boolean }) {
  const { t } = useTranslation("history");
  const voiceName = useVoiceName();
  const format = useFormat();
  const words = useErrorText();
  const retry = useRetryGeneration();
  const done = turn.status === "complete";
  return (
    <li className={cx("-mx-2 rounded-m px-2 py-1.5", isSounding && "bg-accent-soft")}>
      <div className="flex min-h-7 items-center gap-2">
        <Portrait id={turn.profile_id} size={20} />
        <span className="min-w-0 flex-1 truncate font-medium">{speaker || voiceName(turn.profile_name)}</span>
        <span className="text-12 text-ink-3">
          {done ? format.length(turn.duration) : t(`common:status.${turn.status}`)}
        </span>
        {done ? (
          <IconButton
            label={t("scripts.playTurn", { voice: voiceName(turn.profile_name) })}
            className="-me-2"
            icon={<Play size={12} fill="currentColor" />}
            onClick={() => player.load(turn, { play: true, at: 0 })}
          />
        ) : null}
        {turn.status === "failed" ? (
          <IconButton
            label={t("common:retry")}
            icon={<RotateCcw size={14} />}
            onClick={() => retry.mutate({ id: turn.id })}
          />
        ) : null}
      </div>
      <p dir="auto" lang={turn.language} className="line-clamp-3 text-12 text-ink-2">
        {asRead(turn.text)}
      </p>
      {turn.error ? <p className="text-12 text-danger">{words(failureOf(turn.error)).title}</p> : null}
    </li>
  );
}
