import { Info, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFileNote } from "@/i18n/fileNote";
import { IconButton } from "@/ui";
import { clearArrival, useArrival } from "../state";

/** What was found when the file of the book was read: damaged parts and the like, and how a changed file compares. */
export function ArrivalNote({ id }: { id: string }) {
  const { t } = useTranslation("books");
  const textOf = useFileNote();
  const arrival = useArrival(id);
  if (!arrival || (arrival.notes.length === 0 && !arrival.report)) return null;
  const { notes, report } = arrival;
  return (
    <div className="px-4 pt-4">
      <div className="k-error bk-info" role="status">
        <Info size={16} aria-hidden />
        <div className="min-w-0 flex-1 break-words">
          {report ? <p className="font-medium">{t("update.done", { ...report })}</p> : null}
          {notes.length > 0 ? <p className={report ? "" : "font-medium"}>{t("text.notes")}</p> : null}
          <ul className="text-ink-2">
            {notes.map((note, i) => (
              <li key={i}>{textOf(note)}</li>
            ))}
          </ul>
        </div>
        <IconButton label={t("common:close")} icon={<X size={14} />} onClick={() => clearArrival(id)} />
      </div>
    </div>
  );
}
