import { CircleStop, Play, Trash2, Volume2, X } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, IconButton, useFocusOnRemoval } from "@/ui";
import { heardOf } from "./heard";
import type { GenerationFlow } from "./useGenerationFlow";

/** What is saved of a generation that was stopped or failed, and how to continue it or generate it again. */
export function StoppedNote({ flow, action }: { flow: GenerationFlow; action: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation("studio");
  const { running, unfinished } = flow;
  const { stopped, partial } = unfinished;
  const text = useNote(flow);
  const ref = useFocusOnRemoval(action);
  if (running || (!stopped && !partial)) return null;
  const isPaid = flow.generation?.source === "hosted";
  return (
    <div className="st-note" ref={ref}>
      <CircleStop size={16} aria-hidden />
      <p className="min-w-0 flex-1">{text}</p>
      {partial ? (
        <>
          <Button size="small" icon={<Play size={14} aria-hidden />} onClick={unfinished.resume}>
            {t("stopped.continue")}
          </Button>
          {heardOf(partial) > 0 ? (
            <Button size="small" kind="quiet" icon={<Volume2 size={14} aria-hidden />} onClick={unfinished.listen}>
              {t("stopped.listen")}
            </Button>
          ) : null}
          {isPaid ? null : (
            <Button size="small" kind="quiet" icon={<Trash2 size={14} aria-hidden />} onClick={unfinished.discard}>
              {t("stopped.discard")}
            </Button>
          )}
        </>
      ) : (
        <Button size="small" onClick={flow.generate}>
          {t("stopped.again")}
        </Button>
      )}
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={flow.dismiss} />
    </div>
  );
}

function useNote({ generation, unfinished: { partial } }: GenerationFlow): string {
  const { t } = useTranslation("studio");
  const format = useFormat();
  if (partial) {
    const numbers = { count: partial.chunks, done: format.number(partial.chunks), total: format.number(partial.total) };
    const saved = t(generation?.status === "failed" ? "stopped.failed" : "stopped.partial", numbers);
    return partial.behind ? `${saved} ${t("stopped.heard", { count: heardOf(partial) })}` : saved;
  }
  return t("stopped.plain");
}
