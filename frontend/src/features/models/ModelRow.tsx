import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { useSystem } from "@/api/system";
import type { Model } from "@/api/types";
import { useCancelled } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Badge, cx } from "@/ui";
import { Actions } from "./Actions";
import { DeviceWarning } from "./DeviceWarning";
import { useActionState } from "./modelActions";
import { FitsMark } from "./FitsMark";
import { phaseOf } from "./phase";
import { Problem } from "./Problem";
import { RowMenu } from "./RowMenu";
import { StateCell } from "./StateCell";
import { useLanguages, useNote, useWarning } from "./words";

/** The state and action states of one model, for its row and its details. */
export function useModelState(model: Model) {
  const stream = useLiveDownload(model.model_name);
  const live = useCancelled().has(model.model_name) ? undefined : stream;
  const actionState = useActionState(model.model_name);
  const pending = actionState && !actionState.error ? actionState.request.action : undefined;
  const phase = phaseOf(model, live, pending);
  const stored =
    model.error && !pending && (phase === "failed" || phase === "broken" || phase === "loaded")
      ? failureOf(model.error)
      : null;
  return { phase, actionState, error: actionState?.error ?? stored };
}

function About({ model, variants }: { model: Model; variants: number }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const note = useNote()(model);
  const warning = useWarning()(model);
  const words = [
    ...(warning ? [] : [note]),
    useLanguages()(model),
    model.size_mb > 0 ? format.megabytes(model.size_mb) : t("sizeUnknown"),
    ...(variants > 1 ? [t("variantCount", { count: variants })] : []),
  ];
  return (
    <div className="truncate ps-[22px] text-12 text-ink-3" title={[warning, ...words].filter(Boolean).join(" · ")}>
      {warning ? (
        <span className="text-warn">
          <TriangleAlert size={12} className="me-1 inline align-[-1px]" aria-hidden />
          {warning} ·{" "}
        </span>
      ) : null}
      {words.filter(Boolean).join(" · ")}
    </div>
  );
}

interface Props {
  model: Model;
  selected: boolean;
  /** The number of variants that the row represents. */ variants?: number;
  onSelect(name: string): void;
}

export function ModelRow({ model, selected, variants = 1, onSelect }: Props) {
  const { t } = useTranslation("models");
  const system = useSystem();
  const { phase, actionState, error } = useModelState(model);
  const main = { model, phase, actionState, failed: error !== null && phase !== "loaded" };
  const select = () => onSelect(model.model_name);
  // The state is in the button or in the line below.
  const rests = phase === "absent" || phase === "failed" || phase === "broken";
  return (
    <li
      className="border-b border-line data-[selected]:bg-fill"
      data-row=""
      data-selected={selected ? "" : undefined}
      data-model={model.model_name}
    >
      <div className="grid min-h-13 grid-cols-[minmax(0,1fr)_minmax(140px,236px)_minmax(164px,max-content)_28px] items-center gap-x-4 gap-y-2 px-6 py-2 @max-[860px]/main:grid-cols-[minmax(0,1fr)_minmax(120px,200px)_minmax(164px,max-content)_28px] @max-[680px]/main:grid-cols-[minmax(0,1fr)_auto_28px] @max-[680px]/main:px-4">
        <div className={cx("min-w-0", rests && "@min-[681px]/main:@max-[860px]/main:col-span-2")}>
          <div className="flex min-w-0 items-center gap-1.5">
            <FitsMark model={model} system={system.data} />
            <button
              type="button"
              className="truncate rounded-s text-start font-semibold hover:underline"
              aria-pressed={selected}
              onClick={select}
            >
              {model.display_name}
            </button>
            {model.default ? <Badge>{model.downloaded ? t("default") : t("recommended")}</Badge> : null}
          </div>
          <About model={model} variants={variants} />
        </div>
        <div
          className={cx(
            "min-w-0 text-12 @max-[680px]/main:order-last @max-[680px]/main:col-span-full @max-[680px]/main:ps-[22px]",
            rests && "@max-[860px]/main:hidden",
          )}
        >
          <StateCell model={model} phase={phase} />
        </div>
        <Actions {...main} />
        <RowMenu {...main} onDetails={select} />
      </div>
      {error ? (
        <div className="px-6 pb-2 ps-[46px] @max-[680px]/main:px-4">
          <Problem model={model} error={error} actionState={actionState} />
        </div>
      ) : null}
      {model.loaded && model.device_warning ? (
        <div className="px-6 pb-2 ps-[46px] @max-[680px]/main:px-4">
          <DeviceWarning model={model} />
        </div>
      ) : null}
    </li>
  );
}
