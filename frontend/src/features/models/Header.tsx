import { Cpu, Folder, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useQueryClient } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { useLiveDownloads } from "@/api/live";
import { engineName, useModelsDirectory } from "@/api/models";
import { useSystem } from "@/api/system";
import type { Model, ModelsDirectory } from "@/api/types";
import { useFormat, type Format } from "@/i18n/format";
import { Button, ErrorBox, Meter } from "@/ui";
import { openDialog, useDialog } from "./dialogs";
import { engineColour } from "./engines";
import { useMove, useMoveErrorText } from "./move";
import { MoveBar } from "./MoveBar";
import { memoryOf } from "./words";

export interface Part {
  name: string;
  bytes: number;
  colour: string;
}

/** The used space of the folder: by engine, then incomplete downloads, then files that belong to no listed model. */
export function partsOf(models: readonly Model[], used: number, words: { partial: string; other: string }): Part[] {
  const byEngine = new Map<string, number>();
  let partial = 0;
  let rounded = 1_000_000; // the sizes of the list are rounded up to whole MB
  for (const model of models) {
    if (model.downloaded || model.state === "broken") {
      byEngine.set(model.engine, (byEngine.get(model.engine) ?? 0) + model.size_mb * 1_000_000);
      rounded += 1_000_000;
    } else partial += model.downloading?.current ?? model.partial_mb * 1_000_000;
  }
  const parts = [...byEngine].map(([engine, bytes]) => ({
    name: engineName(engine),
    bytes,
    colour: engineColour(engine),
  }));
  const listed = parts.reduce((sum, part) => sum + part.bytes, 0);
  const there = listed > used + rounded ? used / listed : 1; // files are missing, or are shared with another program
  for (const part of parts) part.bytes *= there;
  const known = listed * there;
  parts.push({ name: words.partial, bytes: Math.min(partial, Math.max(0, used - known)), colour: "var(--wave)" });
  parts.push({ name: words.other, bytes: Math.max(0, used - known - partial), colour: "var(--wave-dim)" });
  return parts.filter((part) => part.bytes > 1_000_000); // sizes are rounded up to whole MB
}

export function Header({ models }: { models: readonly Model[] }) {
  const directory = useModelsDirectory(models.some((model) => model.downloading !== null));
  if (directory.error)
    return (
      <div className="p-6">
        <ErrorBox error={directory.error} action={<Again run={() => void directory.refetch()} />} />
      </div>
    );
  return (
    <section className="grid gap-2 px-6 pb-2 pt-5 @max-[680px]/main:px-4">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Place directory={directory.data} />
        <Machine models={models} />
      </div>
      {directory.data ? <Space directory={directory.data} models={models} /> : <div className="h-9" />}
    </section>
  );
}

function Again({ run }: { run(): void }) {
  const { t } = useTranslation();
  return (
    <Button size="small" onClick={run}>
      {t("common:retry")}
    </Button>
  );
}

function Place({ directory }: { directory: ModelsDirectory | undefined }) {
  const { t } = useTranslation("models");
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Folder size={16} className="text-ink-3" aria-hidden />
      <span className="sr-only">{t("folder")}</span>
      <bdi className="truncate" title={directory?.path}>
        {directory?.path}
      </bdi>
      <Button
        kind="quiet"
        size="small"
        disabled={!directory || directory.moving}
        onClick={() => openDialog({ kind: "move" })}
      >
        {t("move.button")}
      </Button>
    </div>
  );
}

function Machine({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const client = useQueryClient();
  const system = useSystem().data;
  const loaded = models.filter((model) => model.loaded);
  const inMemory = loaded.map((model) => model.model_name).join();
  useEffect(() => {
    void client.invalidateQueries({ queryKey: keys.system });
  }, [client, inMemory]); // free memory changes when models are loaded
  if (!system) return null;
  const cores = system.devices.find((device) => device.id === "cpu")?.cores;
  const others = system.devices.filter((device) => device.id !== "cpu").map((device) => device.name);
  const taken = loaded.reduce((sum, model) => sum + (memoryOf(model) ?? 0), 0);
  const words = [
    ...(cores === undefined ? [] : [t("cores", { count: cores })]),
    ...others,
    ...(system.memory
      ? [t("memoryFree", { free: format.bytes(system.memory.free), total: format.bytes(system.memory.total) })]
      : []),
    ...(loaded.length > 0 ? [t("loadedCount", { count: loaded.length, size: format.megabytes(taken) })] : []),
  ];
  return (
    <div className="flex items-center gap-2 text-ink-2">
      <Cpu size={16} className="text-ink-3" aria-hidden />
      {words.join(" · ")}
    </div>
  );
}

function Space({ directory, models }: { directory: ModelsDirectory; models: readonly Model[] }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const move = useMove();
  const live = new Map(useLiveDownloads().map((job) => [job.model_name, job])); // the list has no progress in bytes
  if (directory.moving || move.running) return <Moving directory={directory} />;
  const present = models.map((model) => ({ ...model, downloading: live.get(model.model_name) ?? model.downloading }));
  const parts = partsOf(present, directory.used_bytes, { partial: t("partial"), other: t("otherFiles") });
  const whole = directory.used_bytes + (directory.free_bytes ?? 0);
  const shown = parts.map((part) => ({
    name: part.name,
    colour: part.colour,
    part: whole > 0 ? Math.max(0.004, part.bytes / whole) : 0,
  }));
  return (
    <>
      <MoveFailed />
      <Meter parts={shown} text={spaceText(directory, t, format)} />
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-12">
        {parts.map((part) => (
          <span key={part.name} className="inline-flex items-center gap-1.5">
            <i className="size-2 rounded-full" style={{ background: part.colour }} />
            {part.name} {format.bytes(part.bytes)}
          </span>
        ))}
        {parts.length === 0 ? <span className="text-ink-3">{t("noModels")}</span> : null}
        {directory.free_bytes === null ? null : (
          <span className="ms-auto text-ink-3">{t("free", { size: format.bytes(directory.free_bytes) })}</span>
        )}
      </div>
    </>
  );
}

function MoveFailed() {
  const { t } = useTranslation("models");
  const { error } = useMove();
  const { title, remedy } = useMoveErrorText()(error);
  const dialog = useDialog();
  if (!error || dialog?.kind === "move") return null; // the dialog shows the error
  return (
    <div className="k-error" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {t("move.failed")} {title}
        </p>
        <p className="text-ink-2">{remedy}</p>
      </div>
      <Button size="small" onClick={() => openDialog({ kind: "move" })}>
        {t("move.again")}
      </Button>
    </div>
  );
}

function spaceText(
  directory: ModelsDirectory,
  t: (key: string, values: Record<string, string>) => string,
  format: Format,
): string {
  const used = format.bytes(directory.used_bytes);
  return directory.free_bytes === null
    ? t("used", { used })
    : t("usedAndFree", { used, free: format.bytes(directory.free_bytes) });
}

function Moving({ directory }: { directory: ModelsDirectory }) {
  const { t } = useTranslation("models");
  const move = useMove();
  return (
    <div className="flex items-end gap-4">
      <div className="flex-1">
        <MoveBar directory={directory} />
      </div>
      {move.running ? (
        <Button size="small" onClick={move.stop}>
          {t("common:stop")}
        </Button>
      ) : null}
    </div>
  );
}
