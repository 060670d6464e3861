import { createElement as h } from "react";
import { Copy, Download, Link, PanelRight, PenLine, RotateCcw, Star, Trash2 } from "lucide-react";
import type { TFunction } from "i18next";
import { hasEnded, type GenerationStatus } from "@/api/types";
import type { MenuGroups, MenuItem } from "@/ui";
import { soundFormats, subtitleFormats, type SaveFormat } from "./files";
import type { Actions } from "./useActions";

type T = TFunction<"history">;

/** Every format a generation can be saved in. */
export function saveItems(t: T, save: (format: SaveFormat) => void): MenuGroups {
  const item = (format: SaveFormat): MenuItem => ({ label: t("history:saveAs", { format: format.toUpperCase() }), onSelect: () => save(format) });
  return [soundFormats.map(item), subtitleFormats.map(item), [item("txt")]];
}

interface Target { id: string; status: GenerationStatus; favorite: boolean }

/** What the menu of a row offers; a generation without sound has nothing to save. */
export function rowMenu(t: T, target: Target, actions: Actions, openDetails: () => void): MenuGroups {
  const { id, status, favorite } = target;
  const done = status === "complete";
  const icon = (kind: typeof Copy) => h(kind, { size: 16, "aria-hidden": true });
  const common: MenuItem[] = [
    { label: t("history:details"), icon: icon(PanelRight), onSelect: openDetails },
    { label: favorite ? t("history:unfavorite") : t("history:favorite"), icon: icon(Star), onSelect: () => void actions.favorite([id], !favorite) },
    { label: t("history:openInStudio"), icon: icon(PenLine), onSelect: () => actions.studio(id) },
    ...(hasEnded(status) ? [{ label: t("history:again"), icon: icon(RotateCcw), onSelect: () => void actions.again(id) }] : []),
  ];
  const copies: MenuItem[] = [
    { label: t("history:copyText"), icon: icon(Copy), onSelect: () => void actions.copyText(id) },
    ...(done ? [{ label: t("history:copyLink"), icon: icon(Link), onSelect: () => void actions.copyLink(id) }, { label: t("history:copyPath"), icon: icon(Copy), onSelect: () => void actions.copyPath(id) }] : []),
  ];
  const saves = done ? saveItems(t, (format) => void actions.save(id, format)).flat().map((item) => ({ ...item, icon: icon(Download) })) : [];
  return [common, copies, saves, [{ label: t("common:delete"), icon: icon(Trash2), danger: true, shortcut: "delete", onSelect: () => void actions.remove([id]) }]];
}
