import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useLiveDownload } from "@/api/live";
import { useSystem } from "@/api/system";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Badge } from "@/ui";
import { useDoing } from "./deeds";
import { FitsMark } from "./FitsMark";
import { MainButton } from "./MainButton";
import { phaseOf } from "./phase";
import { Remedy } from "./Remedy";
import { RowMenu } from "./RowMenu";
import { StateCell } from "./StateCell";
import { useLanguages, useNote } from "./words";

/** State and doings of one model, for its row and its details. */
export function useModelState(model: Model) {
  const live = useLiveDownload(model.model_name);
  const doing = useDoing(model.model_name);
  const pending = doing && !doing.error ? doing.wish.deed : undefined;
  const phase = phaseOf(model, live, pending);
  const stored = model.error && !pending && (phase === "failed" || phase === "broken" || phase === "loaded") ? failureOf(model.error) : null;
  return { phase, doing, error: doing?.error ?? stored };
}

export function About({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const words = [useNote()(model), useLanguages()(model), model.size_mb > 0 ? format.megabytes(model.size_mb) : t("sizeUnknown")];
  return <>{words.filter(Boolean).join(" · ")}</>;
}

interface Props { model: Model; selected: boolean; onSelect(name: string): void }

export function ModelRow({ model, selected, onSelect }: Props) {
  const { t } = useTranslation("models");
  const system = useSystem();
  const { phase, doing, error } = useModelState(model);
  const select = () => onSelect(model.model_name);
  const offers = error !== null && (error === doing?.error || ["insufficient_disk", "out_of_memory"].includes(error.code));
  return (
    <li className="border-b border-line data-[selected]:bg-fill" data-selected={selected ? "" : undefined} data-model={model.model_name}>
      <div className="grid min-h-14 grid-cols-[minmax(0,1fr)_minmax(140px,224px)_224px_28px] items-center gap-x-4 gap-y-2 px-6 py-2 @max-[680px]/main:grid-cols-[minmax(0,1fr)_auto_28px] @max-[680px]/main:px-4">
        <div className="min-w-0">
          <div className="flex min-w-0 items-center gap-1.5">
            <FitsMark model={model} system={system.data} />
            <button type="button" className="truncate rounded-s text-start font-semibold hover:underline" aria-pressed={selected} onClick={select}>{model.display_name}</button>
            {model.default ? <Badge>{t("default")}</Badge> : null}
          </div>
          <div className="truncate ps-[22px] text-12 text-ink-3"><About model={model} /></div>
        </div>
        <div className="min-w-0 text-12 @max-[680px]/main:order-last @max-[680px]/main:col-span-full @max-[680px]/main:ps-[22px]"><StateCell model={model} phase={phase} error={error} fromDisk={doing?.wish.deed === "fill"} /></div>
        <MainButton model={model} phase={phase} doing={doing} failed={error !== null && phase !== "loaded"} className="w-full @max-[680px]/main:w-auto" />
        <RowMenu model={model} phase={phase} onDetails={select} />
      </div>
      {offers ? <div className="px-6 @max-[680px]/main:px-4"><Remedy model={model} error={error} doing={doing} /></div> : null}
    </li>
  );
}
