import { Download, MoreHorizontal, RotateCcw, Square, Star } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useGeneration } from "@/api/generations";
import { engineName } from "@/api/models";
import { useSystem } from "@/api/system";
import { hasEnded, type Generation } from "@/api/types";
import { asRead } from "@/lib/heading";
import { Inspector } from "@/lib/slots";
import { useWaitText } from "@/features/hosted";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import type { SaveRequest } from "@/api/save";
import { titleOrWords } from "@/lib/heading";
import { exportGroups, exportSound, useSoundChoice } from "@/player";
import { Button, ErrorBox, IconButton, Menu, Portrait, ProgressBar, Skeleton, TextField } from "@/ui";
import { Chunks } from "./Chunks";
import { useProgress } from "./LiveLine";
import { MissingFile } from "./MissingFile";
import { rowMenu } from "./menus";
import { ModelRemedy } from "./ModelRemedy";
import { usePartialText } from "./PartialLine";
import { useDebounced } from "@/lib/useDebounced";
import { ReceiptView } from "./ReceiptView";
import { setMissing } from "./state";
import type { Actions } from "./useActions";
import { Verified } from "./Verified";

// ms that a row must stay active before its details load, so that a held arrow key does not flood the server.
const rowDelay = 120;
const longText = 400;

const maxBrief = 28;
const brief = (text: string): string => (text.length > maxBrief ? `${text.slice(0, maxBrief).trim()}…` : text);

/** Everything about the active generation. */
export function Details({ id: wanted, actions }: { id: string; actions: Actions }) {
  const { t } = useTranslation("history");
  const id = useDebounced(wanted, rowDelay);
  const { data, error } = useGeneration(id);
  const title = data ? data.title || brief(asRead(data.text.slice(0, 2 * maxBrief))) : t("common:details");
  return (
    <Inspector title={title}>
      {error ? (
        <section>
          <ErrorBox error={error} />
        </section>
      ) : null}
      {data ? (
        <Body key={data.id} generation={data} actions={actions} />
      ) : error ? null : (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <Skeleton className="h-8" />
          <Skeleton className="h-24" />
          <Skeleton className="h-16" />
        </section>
      )}
    </Inspector>
  );
}

function Body({ generation, actions }: { generation: Generation; actions: Actions }) {
  return (
    <>
      <Head generation={generation} actions={actions} />
      <TextPart generation={generation} actions={actions} />
      {generation.chunks.length > 0 && generation.status === "complete" && !generation.audio_missing ? (
        <Chunks generation={generation} />
      ) : null}
      {generation.status === "complete" && generation.source === "local" && !generation.audio_missing ? (
        <Verified generation={generation} />
      ) : null}
      {generation.receipt ? <ReceiptView generation={generation} receipt={generation.receipt} /> : null}
    </>
  );
}

const toExport = (generation: Generation, actions: Actions) => ({
  name: titleOrWords(generation, 80),
  save: (request: SaveRequest) => void actions.save(generation.id, request),
});

function Head({ generation, actions }: { generation: Generation; actions: Actions }) {
  const { t } = useTranslation("history");
  const voiceName = useVoiceName();
  const finished = usePartialText();
  const { id, status, favorite } = generation;
  const missing = generation.audio_missing ?? false;
  useEffect(() => setMissing({ id, audio_missing: missing }), [id, missing]);
  const saves = exportGroups(t, toExport(generation, actions));
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-center gap-3">
        <Portrait id={generation.profile_id} />
        <div className="min-w-0 flex-1">
          <div className="truncate font-medium">{voiceName(generation.profile_name)}</div>
          <div className="truncate text-12 text-ink-3">{engineName(generation.engine)}</div>
        </div>
        <IconButton
          label={t(favorite ? "unfavorite" : "favorite")}
          icon={<Star size={16} fill={favorite ? "currentColor" : "none"} />}
          aria-pressed={favorite}
          className="k-star -me-1.5"
          onClick={() => void actions.favorite([id], !favorite)}
        />
      </div>
      {hasEnded(status) ? null : <Running generation={generation} />}
      {status === "failed" ? (
        <ErrorBox
          error={generation.error ? failureOf(generation.error) : new Error(t("failedUnknown"))}
          action={<ModelRemedy failure={generation.error} model={generation.model_name} />}
        />
      ) : null}
      {generation.partial ? <p className="text-12 text-ink-2">{finished(generation.partial)}</p> : null}
      {missing ? <MissingFile /> : null}
      <div className="flex flex-wrap gap-2">
        <MainButton generation={generation} actions={actions} />
        <Menu
          align="start"
          groups={rowMenu(t, { id, status, favorite, missing, partial: generation.partial }, actions, saves)}
        >
          <IconButton kind="plain" label={t("common:more")} icon={<MoreHorizontal size={16} />} />
        </Menu>
      </div>
    </section>
  );
}

/** The primary action for the state of the generation. */
function MainButton({ generation, actions }: { generation: Generation; actions: Actions }) {
  const { t } = useTranslation("history");
  const { id, status } = generation;
  const sound = useSoundChoice();
  const encoders = useSystem().data?.encoders;
  const retryIcon = <RotateCcw size={16} aria-hidden />;
  if (!hasEnded(status))
    return (
      <Button size="small" icon={<Square size={12} aria-hidden />} onClick={() => void actions.stop(id)}>
        {t("common:stop")}
      </Button>
    );
  if (status === "failed" || generation.partial)
    return (
      <Button size="small" icon={retryIcon} onClick={() => void actions.retry(id)}>
        {generation.partial ? t("continue") : t("common:retry")}
      </Button>
    );
  const isMissing = generation.audio_missing ?? false; // regenerated with its own seed, so that it sounds the same
  return (
    <>
      {status === "complete" && !isMissing ? (
        <Button
          kind="primary"
          size="small"
          icon={<Download size={16} aria-hidden />}
          onClick={() => exportSound(toExport(generation, actions), encoders)}
        >
          {t("common:export.as", { format: sound.format.toUpperCase() })}
        </Button>
      ) : null}
      <Button
        size="small"
        icon={retryIcon}
        onClick={() => void (isMissing ? actions.restore(generation) : actions.regenerate(id))}
      >
        {t("regenerate")}
      </Button>
    </>
  );
}

function Running({ generation }: { generation: Generation }) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const { status, progress } = useProgress(generation.id, generation.status, generation.progress);
  const waiting = useWaitText(generation.wait);
  const isSpeaking = status === "generating";
  const words = [t(`common:status.${status}`)];
  if (isSpeaking && generation.chunks_total > 0)
    words.push(
      t("passageOf", { done: format.number(generation.chunks_done), total: format.number(generation.chunks_total) }),
    );
  if (isSpeaking && generation.eta_seconds)
    words.push(t("timeLeft", { time: format.duration(generation.eta_seconds) }));
  return (
    <ProgressBar label={t("progressOf")} value={isSpeaking ? progress : null} text={waiting || words.join(" · ")} />
  );
}

function TextPart({ generation, actions }: { generation: Generation; actions: Actions }) {
  const { t } = useTranslation("history");
  const [title, setTitle] = useState(generation.title);
  const [all, setAll] = useState(false);
  const isLong = generation.text.length > longText;
  const save = () => {
    if (title.trim() !== generation.title) void actions.rename(generation.id, title.trim());
  };
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <TextField
        label={t("title")}
        placeholder={t("noTitle")}
        value={title}
        maxLength={200}
        onChange={setTitle}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") setTitle(generation.title);
        }}
      />
      <div>
        <div className="mb-1 flex items-center justify-between gap-2">
          <h3 className="text-12 font-medium text-ink-2">{t("text")}</h3>
          <Button kind="quiet" size="small" className="-me-2.5" onClick={() => void actions.copyText(generation.id)}>
            {t("copyText")}
          </Button>
        </div>
        <p dir="auto" lang={generation.language} className="text-14 wrap-anywhere whitespace-pre-wrap text-ink-2">
          {isLong && !all ? `${generation.text.slice(0, longText).trimEnd()}…` : generation.text}
        </p>
        {isLong ? (
          <Button kind="quiet" size="small" className="-ms-2.5" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? "showLess" : "showAll")}
          </Button>
        ) : null}
      </div>
    </section>
  );
}
