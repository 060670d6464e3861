import type { TFunction } from "i18next";
import { Copy, Download, MessagesSquare, PenLine, RotateCcw, Square, Trash2, Users } from "lucide-react";
import { createElement as h } from "react";
import { hasEnded, type TranscriptRow } from "@/api/types";
import type { MenuGroups } from "@/ui";
import { askForExport } from "../state";
import type { TranscriptActions } from "./useTranscriptActions";

const icon = (kind: typeof Copy) => h(kind, { size: 16, "aria-hidden": true });

/** The menu of a row. */
export function rowMenu(
  t: TFunction<"transcribe">,
  row: TranscriptRow,
  actions: TranscriptActions,
  onRemove: () => void,
): MenuGroups {
  const { id, status } = row;
  const done = status === "complete";
  return [
    done
      ? [
          { label: t("transcribe:toStudio"), icon: icon(PenLine), onSelect: () => actions.studio(id) },
          { label: t("transcribe:makeScript"), icon: icon(MessagesSquare), onSelect: () => actions.script(id) },
          { label: t("common:export.copyText"), icon: icon(Copy), onSelect: () => actions.copy(id) },
          { label: t("transcribe:exportOpen"), icon: icon(Download), onSelect: () => askForExport(row) },
        ]
      : [],
    [
      ...(done && !row.finding_speakers
        ? [{ label: t("finding:open"), icon: icon(Users), onSelect: () => actions.speakers(id) }]
        : []),
      row.finding_speakers
        ? { label: t("finding:stopShort"), icon: icon(Square), onSelect: () => actions.cancel(id) }
        : hasEnded(status)
          ? { label: t("transcribe:again"), icon: icon(RotateCcw), onSelect: () => actions.retry(id) }
          : { label: t("common:stop"), icon: icon(Square), onSelect: () => actions.cancel(id) },
    ],
    [{ label: t("common:delete"), icon: icon(Trash2), danger: true, shortcut: "delete", onSelect: onRemove }],
  ];
}
