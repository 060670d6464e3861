import { AudioLines, CircleStop, Undo2, X } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, IconButton, useFocusOnRemoval } from "@/ui";
import type { GenerationFlow } from "./useGenerationFlow";

function useNote({ revision }: GenerationFlow): string {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const { done, levelOff } = revision;
  if (revision.isStopped) return t("revision.stopped");
  const change = done && (done.generated > 0 ? t("revision.done", { count: done.generated }) : t("revision.joined"));
  const number = format.number(Math.abs(levelOff), { maximumFractionDigits: 1 });
  const level = levelOff !== 0 && t(levelOff > 0 ? "revision.louder" : "revision.quieter", { number });
  return [change, level].filter(Boolean).join(" ");
}

/** What became of a change of the text, with a way back, and a way to the right level. */
export function RevisionNote({ flow, action }: { flow: GenerationFlow; action: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation("studio");
  const { revision, running } = flow;
  const text = useNote(flow);
  const ref = useFocusOnRemoval(action);
  if (running || text === "" || !revision.isNoteOpen) return null;
  const Icon = revision.isStopped ? CircleStop : AudioLines;
  return (
    <div className="st-note" ref={ref}>
      <Icon size={16} aria-hidden />
      <p className="min-w-0 flex-1">{text}</p>
      {revision.levelOff !== 0 ? (
        <Button size="small" busy={revision.isLevelling} onClick={revision.level}>
          {t("revision.level")}
        </Button>
      ) : null}
      {revision.done && revision.undo ? (
        <Button
          size="small"
          icon={<Undo2 size={14} aria-hidden />}
          hint={t("revision.undoHint")}
          busy={revision.isUndoing}
          onClick={revision.undo}
        >
          {t("common:undo")}
        </Button>
      ) : null}
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={flow.dismiss} />
    </div>
  );
}
