import { ChevronDown, RotateCcw, Undo2 } from "lucide-react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { useLiveDownload, useLiveGeneration, useOwnGenerations } from "@/api/live";
import { hasEnded, type Generation } from "@/api/types";
import { useWaitText } from "@/features/hosted";
import { useCommands } from "@/lib/commands";
import { useFormat } from "@/i18n/format";
import { ActionButton, ActionProgress, IconButton, Kbd, Menu, useAriaKeys } from "@/ui";
import type { GenerationFlow } from "./useGenerationFlow";

const shortcut = "mod+enter";

/** Returns the stage, the progress, and the remaining time. */
function useStage(generation: Generation | undefined): { text: string; value: number } {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const live = useLiveGeneration(generation?.id);
  const ahead = useOwnGenerations().filter((g) => generation && g.id < generation.id).length; // ids contain their time
  const download = useLiveDownload(generation?.model_name ?? "");
  const value = Math.max(live?.progress ?? 0, generation?.progress ?? 0);
  const left = (seconds: number | null | undefined) =>
    seconds ? ` · ${t("stage.left", { time: format.duration(Math.ceil(seconds)) })}` : "";
  const waiting = useWaitText(generation?.wait ?? null);
  if (!generation) return { text: t("stage.sending"), value: 0 };
  if (waiting && !hasEnded(generation.status)) return { text: waiting, value };
  const fraction = download && download.total > 0 ? download.current / download.total : null;
  const downloading =
    fraction === null
      ? { text: t("stage.downloading"), value }
      : {
          text: `${t("stage.downloadingPart", { fraction: format.percent(fraction) })}${left(download?.etaSeconds)}`,
          value: fraction,
        };
  switch (live?.status ?? generation.status) {
    case "queued":
      if (download && ahead === 0) return downloading; // requested elsewhere: this generation waits for it
      return { text: ahead > 0 ? t("stage.place", { count: ahead }) : t("stage.queued"), value };
    case "downloading_model":
      return downloading;
    case "loading_model":
      return { text: t("stage.loading"), value };
    default: {
      if (generation.chunks_total < 2) return { text: `${t("stage.speaking")}${left(generation.eta_seconds)}`, value };
      const chunk = Math.min(generation.chunks_done + 1, generation.chunks_total);
      return {
        text: `${t("stage.chunk", { passage: chunk, total: generation.chunks_total })}${left(generation.eta_seconds)}`,
        value,
      };
    }
  }
}

function Progress({ flow }: { flow: GenerationFlow }) {
  const { t } = useTranslation("studio");
  const { text, value } = useStage(flow.generation);
  useCommands([{ id: "studio:stop", title: t("common:stop"), shortcut: "escape", run: flow.stop }]);
  return <ActionProgress text={flow.isStopping ? t("stage.stopping") : text} value={value} />;
}

/** What else can be done where the audio has been or would be changed. */
function MoreActions({ flow: { generateAll, revision } }: { flow: GenerationFlow }) {
  const { t } = useTranslation("studio");
  const { plan, undo } = revision;
  const icons = { all: <RotateCcw size={16} aria-hidden />, undo: <Undo2 size={16} aria-hidden /> };
  const actions = [
    ...(plan ? [{ id: "all", title: t("revision.all"), icon: icons.all, run: generateAll }] : []),
    ...(undo ? [{ id: "undo", title: t("revision.undoLast"), icon: icons.undo, run: undo }] : []),
  ];
  useCommands(actions.map(({ id, title, run }) => ({ id: `studio:generate-${id}`, title, run })));
  if (actions.length === 0) return null;
  return (
    <Menu groups={[actions.map(({ title, icon, run }) => ({ label: title, icon, onSelect: run }))]}>
      <IconButton label={t("revision.more")} icon={<ChevronDown size={16} />} size="normal" />
    </Menu>
  );
}

interface Props {
  flow: GenerationFlow;
  isFirst: boolean;
  ref: Ref<HTMLButtonElement>;
}

/** The primary action; during a generation it shows the progress and stops it. */
export function GenerateButton({ flow, isFirst, ref }: Props) {
  const { t } = useTranslation("studio");
  const { plan, isStarting } = flow.revision;
  const changed = plan && (plan.generated > 0 ? t("revision.generate", { count: plan.generated }) : t("revision.join"));
  const title = changed ?? t(isFirst ? "speak" : "generate");
  const keys = useAriaKeys(shortcut);
  useCommands([{ id: "studio:generate", title, shortcut, run: flow.generate, hidden: flow.running }]);
  return (
    <>
      <ActionButton
        ref={ref}
        progress={flow.running ? <Progress flow={flow} /> : null}
        onStop={flow.stop}
        aria-keyshortcuts={keys}
        busy={isStarting}
        onClick={flow.generate}
      >
        {title}
        <span className="st-keys" aria-hidden>
          <Kbd keys={shortcut} />
        </span>
      </ActionButton>
      {flow.running ? null : <MoreActions flow={flow} />}
    </>
  );
}
