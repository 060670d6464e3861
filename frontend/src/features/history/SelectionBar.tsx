import { Download, Ear, Star, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { subtitleFormats } from "@/api/formats";
import type { SaveRequest } from "@/api/save";
import { useSystem } from "@/api/system";
import { useFormat } from "@/i18n/format";
import { useShortcut } from "@/lib/commands";
import { askExport, exportSound, useSoundChoice } from "@/player";
import { Button, IconButton, Menu, useFocusOnRemoval } from "@/ui";
import type { HistoryRow } from "./rows";
import type { Actions } from "./useActions";

interface Props {
  rows: readonly HistoryRow[];
  actions: Actions;
  onRemove(): void;
  onClear(): void;
}

/** The actions on the selected rows; it appears at the bottom while any are selected. */
export function SelectionBar({ rows, actions, onRemove, onClear }: Props) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const done = rows.filter((row) => row.status === "complete");
  const local = done.filter((row) => !row.hosted);
  const ids = rows.map((row) => row.id);
  useShortcut("escape", t("clearSelection"), onClear); // wherever the focus is, as after a menu
  const allFavorite = rows.every((row) => row.favorite);
  const encoders = useSystem().data?.encoders;
  const sound = useSoundChoice();
  const ref = useFocusOnRemoval();
  const save = (request: SaveRequest) => {
    const { format, ...options } = request;
    if (format !== "txt")
      void actions.saveMany(
        done.map((row) => row.id),
        { format, ...options },
      );
  };
  const exported = { name: t("selected", { count: done.length, number: format.number(done.length) }), save };
  const zipItem = (kind: SaveRequest["format"], onSelect: () => void) => ({
    label: t("zipAs", { format: kind.toUpperCase() }),
    onSelect,
  });
  const zip = [
    [
      zipItem(sound.format, () => exportSound(exported, encoders)),
      { label: t("common:export.options"), onSelect: () => askExport(exported) },
    ],
    subtitleFormats.map((kind) => zipItem(kind, () => save({ format: kind }))),
  ];
  return (
    <div
      ref={ref}
      role="toolbar"
      aria-label={t("selection")}
      className="k-float absolute inset-x-4 bottom-4 z-20 mx-auto flex w-fit flex-wrap items-center gap-1 p-2 ps-4 transition duration-200 starting:translate-y-4 starting:opacity-0"
    >
      <span className="me-1 font-medium" role="status">
        {t("selected", { count: rows.length, number: format.number(rows.length) })}
      </span>
      <span className="me-3 text-ink-3">{format.clock(done.reduce((sum, row) => sum + row.duration, 0))}</span>
      <Menu groups={zip}>
        <Button kind="quiet" size="small" disabled={done.length === 0} icon={<Download size={16} aria-hidden />}>
          {t("export")}
        </Button>
      </Menu>
      <Button
        kind="quiet"
        size="small"
        icon={<Star size={16} fill={allFavorite ? "currentColor" : "none"} aria-hidden />}
        onClick={() => void actions.favorite(ids, !allFavorite)}
      >
        {t(allFavorite ? "unfavorite" : "favorite")}
      </Button>
      <Button
        kind="quiet"
        size="small"
        disabled={local.length === 0}
        icon={<Ear size={16} aria-hidden />}
        hint={t("verify.hint")}
        onClick={() => void actions.verify(local.map((row) => row.id))}
      >
        {t("verify.check")}
      </Button>
      <Button kind="quiet" size="small" icon={<Trash2 size={16} aria-hidden />} shortcut="delete" onClick={onRemove}>
        {t("common:delete")}
      </Button>
      <IconButton label={t("clearSelection")} shortcut="escape" icon={<X size={16} />} onClick={onClear} />
    </div>
  );
}
