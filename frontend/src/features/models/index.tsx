import { Plus, WifiOff } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import { useCancelled } from "@/features/downloads";
import { useOffline } from "@/api/offline";
import type { Model } from "@/api/types";
import { useCommands } from "@/lib/commands";
import { href, navigate, useRoute } from "@/lib/router";
import { TopEnd, useInspector } from "@/lib/slots";
import { Button, ErrorBox, Skeleton, Tabs } from "@/ui";
import { Details } from "./Details";
import { closeDialog, openDialog } from "./dialogs";
import { Header } from "./Header";
import { InstalledModels } from "./InstalledModels";
import { ModelDialogs } from "./ModelDialogs";
import { AvailableModels } from "./AvailableModels";
import { useRefreshOnFocus } from "./useRefreshOnFocus";
import { isLocal } from "./phase";

type Tab = "here" | "more";
const none: readonly Model[] = [];

/** Shows a cancelled download that can still be undone as not installed. */
function asCancelled(model: Model): Model {
  return { ...model, state: "not_downloaded", downloading: null, partial_mb: 0, error: null };
}

function useShown(models: readonly Model[] | undefined): readonly Model[] | undefined {
  const cancelled = useCancelled();
  return useMemo(
    () =>
      cancelled.size > 0
        ? models?.map((model) => (cancelled.has(model.model_name) && !model.downloaded ? asCancelled(model) : model))
        : models,
    [models, cancelled],
  );
}

export default function Models() {
  const { t } = useTranslation("models");
  const models = useModels();
  const shown = useShown(models.data);
  useRefreshOnFocus();
  useEffect(() => closeDialog, []);
  useCommands([
    { id: "models:add", title: t("add.title"), run: () => openDialog({ kind: "add" }) },
    { id: "models:move", title: t("move.title"), run: () => openDialog({ kind: "move" }) },
  ]);
  return (
    <div className="flex flex-col overflow-y-auto">
      <TopEnd>
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => openDialog({ kind: "add" })}>
          {t("add.open")}
        </Button>
      </TopEnd>
      <Offline />
      <Header models={models.data ?? none} />
      {models.error ? (
        <div className="px-6 py-4">
          <ErrorBox
            error={models.error}
            action={
              <Button size="small" busy={models.isFetching} onClick={() => void models.refetch()}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
      {shown ? <Lists models={shown} /> : null}
      {models.isLoading ? (
        <div className="grid gap-2 px-6 py-4" role="status" aria-label={t("loading")}>
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      ) : null}
      <ModelDialogs />
    </div>
  );
}

function Offline() {
  const { t } = useTranslation("models");
  const { on, fixed, error, turn } = useOffline();
  if (!on) return null;
  return (
    <>
      <div className="f-banner mx-6 mt-4 max-w-none shrink-0 py-1 shadow-none @max-[680px]/main:mx-4" role="status">
        <WifiOff size={16} aria-hidden />
        <span>
          {t("offline")} {fixed ? t("common:downloadsOff.fixed") : null}
        </span>
        {fixed ? null : (
          <Button size="small" onClick={() => turn(false)}>
            {t("goOnline")}
          </Button>
        )}
      </div>
      {error ? (
        <div className="px-6 py-4">
          <ErrorBox error={error} />
        </div>
      ) : null}
    </>
  );
}

function Lists({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("models");
  const { segments, query } = useRoute();
  const { setOpen } = useInspector();
  const here = models.filter(isLocal);
  const tab: Tab = query.get("tab") === "more" ? "more" : "here";
  const selected = models.find((model) => model.model_name === segments[0]);
  const at = (name: string | undefined, changes: Record<string, string> = {}) =>
    href("models", name ? [name] : [], { ...Object.fromEntries(query), ...changes });
  const select = (name: string) => {
    navigate(at(name), { replace: true });
    setOpen(true);
  };
  const list = { models, selected: selected?.model_name, onSelect: select };
  return (
    <div className="flex-none [&_.k-tabs]:sticky [&_.k-tabs]:top-0 [&_.k-tabs]:z-10 [&_.k-tabs]:bg-page [&_.k-tabs]:px-6 @max-[680px]/main:[&_.k-tabs]:px-4">
      <Tabs<Tab>
        label={t("title")}
        value={tab}
        onChange={(next) => navigate(at(segments[0], { tab: next === "here" ? "" : next }))}
        tabs={[
          { value: "here", label: t("tab.installed"), count: here.length, content: <InstalledModels {...list} /> },
          { value: "more", label: t("tab.more"), content: <AvailableModels {...list} /> },
        ]}
      />
      {selected ? <Details key={selected.model_name} model={selected} models={models} onSelect={select} /> : null}
    </div>
  );
}
