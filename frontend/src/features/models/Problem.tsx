import { TriangleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useModels } from "@/api/models";
import { navigate, href } from "@/lib/router";
import type { Model } from "@/api/types";
import { actionsFor } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { Button, IconButton } from "@/ui";
import { useModelActions, useActionState, type ActionState } from "./modelActions";
import { isImported } from "./phase";
import { memoryOf, usePartialSizeText, useModelErrorText } from "./words";

interface Props {
  model: Model;
  error: ApiError;
  actionState: ActionState | undefined;
}

/** The problem of a model, over the full width, with the actions that resolve it. */
export function Problem({ model, error, actionState }: Props) {
  const { t } = useTranslation("models");
  const { forget, start } = useModelActions();
  const mine = actionState?.error === error;
  const fromDisk = (mine && actionState.request.action === "fill") || isImported(model);
  const { title, remedy } = useModelErrorText()(error, fromDisk ? "disk" : "hub");
  const kept = usePartialSizeText()(model);
  const actions = actionsFor(error.code);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12">
      <div role="alert" className="flex min-w-0 gap-1.5 py-1">
        <TriangleAlert size={16} className="flex-none text-danger" aria-hidden />
        <p className="min-w-0 wrap-anywhere">
          <span className="text-danger">{title}</span>{" "}
          <span className="text-ink-2">{[remedy, kept].filter(Boolean).join(" ")}</span>
        </p>
      </div>
      {actions.includes("freeSpace") ? (
        <Button size="small" onClick={() => navigate(href("models", [], { sort: "size" }))}>
          {t("freeSpace")}
        </Button>
      ) : null}
      {actions.includes("unloadModel") ? <Occupants asked={model.model_name} /> : null}
      {actions.includes("unloadModel") && mine && actionState.request.action === "load" ? (
        <Button size="small" kind="quiet" onClick={() => start(model, { action: "load", force: true })}>
          {t("loadAnyway")}
        </Button>
      ) : null}
      {mine ? (
        <IconButton label={t("dismiss")} icon={<X size={14} />} onClick={() => forget(model.model_name)} />
      ) : null}
    </div>
  );
}

/** The models in memory, each with an Unload button. */
function Occupants({ asked }: { asked: string }) {
  const loaded = useModels().data?.filter((model) => model.loaded && model.model_name !== asked) ?? [];
  return (
    <>
      {loaded.map((model) => (
        <Unload key={model.model_name} model={model} />
      ))}
    </>
  );
}

function Unload({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const { start } = useModelActions();
  const actionState = useActionState(model.model_name);
  const memory = memoryOf(model);
  const label =
    memory === null
      ? t("unloadNamed", { name: model.display_name })
      : t("unloadSized", { name: model.display_name, size: format.megabytes(memory) });
  return (
    <Button
      size="small"
      busy={actionState !== undefined && actionState.error === null}
      onClick={() => start(model, { action: "unload" })}
    >
      {label}
    </Button>
  );
}
