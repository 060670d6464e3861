import { createElement as h } from "react";
import {
  AudioLines,
  Captions,
  Copy,
  Download,
  FolderOpen,
  Link,
  PanelRight,
  Pause,
  PenLine,
  Play,
  RotateCcw,
  Square,
  SquareCheck,
  Star,
  Trash2,
} from "lucide-react";
import type { TFunction } from "i18next";
import { fileCopier, fileShower } from "@/api/save";
import { hasEnded, type GenerationStatus } from "@/api/types";
import type { MenuGroups, MenuItem } from "@/ui";
import { hasSound, type HistoryRow } from "./rows";
import type { Actions } from "./useActions";

type T = TFunction<"history">;

interface Target {
  id: string;
  status: GenerationStatus;
  favorite: boolean;
  /** Its audio file is missing. */
  missing?: boolean;
  /** What is finished of a stopped or failed one. */
  partial: HistoryRow["partial"];
  /** It is playing. */
  isPlaying?: boolean;
}

/** The menu of a row; without audio it cannot save. In the details, actions with their own button are left out. */
export function rowMenu(
  t: T,
  target: Target,
  actions: Actions,
  saves: MenuGroups,
  ofRow?: { openDetails(): void; select(): void },
): MenuGroups {
  const { id, status, favorite } = target;
  const done = status === "complete" && !target.missing;
  const icon = (kind: typeof Copy) => h(kind, { size: 16, "aria-hidden": true });
  const sound: MenuItem[] = !ofRow
    ? []
    : !target.missing && hasSound(target)
      ? [
          {
            label: t(target.isPlaying ? "common:player.pause" : "common:player.play"),
            icon: icon(target.isPlaying ? Pause : Play),
            shortcut: "enter",
            onSelect: () => void actions.play(id),
          },
        ]
      : hasEnded(status)
        ? []
        : [{ label: t("common:stop"), icon: icon(Square), onSelect: () => void actions.stop(id) }];
  const common: MenuItem[] = [
    ...sound,
    { label: t("history:openInStudio"), icon: icon(PenLine), onSelect: () => actions.studio(id) },
    ...(done ? [{ label: t("history:transcribe"), icon: icon(Captions), onSelect: () => actions.transcribe(id) }] : []),
    ...(ofRow
      ? [
          { label: t("history:select"), icon: icon(SquareCheck), shortcut: "space", onSelect: ofRow.select },
          { label: t("history:details"), icon: icon(PanelRight), onSelect: ofRow.openDetails },
          {
            label: favorite ? t("history:unfavorite") : t("history:favorite"),
            icon: icon(Star),
            onSelect: () => void actions.favorite([id], !favorite),
          },
          ...(hasEnded(status)
            ? [{ label: t("history:regenerate"), icon: icon(RotateCcw), onSelect: () => void actions.regenerate(id) }]
            : []),
        ]
      : []),
  ];
  const copies: MenuItem[] = [
    { label: t("history:copyText"), icon: icon(Copy), onSelect: () => void actions.copyText(id) },
    ...(done && fileCopier()
      ? [{ label: t("common:export.copyFile"), icon: icon(AudioLines), onSelect: () => void actions.copyFile(id) }]
      : []),
    ...(done
      ? [
          { label: t("history:copyLink"), icon: icon(Link), onSelect: () => void actions.copyLink(id) },
          { label: t("history:copyPath"), icon: icon(Copy), onSelect: () => void actions.copyPath(id) },
        ]
      : []),
  ];
  const files: MenuItem[] = done
    ? [
        { label: t("history:export"), icon: icon(Download), onSelect: () => undefined, items: saves },
        ...(fileShower()
          ? [{ label: t("common:export.showFile"), icon: icon(FolderOpen), onSelect: () => void actions.showFile(id) }]
          : []),
      ]
    : [];
  const copy =
    copies.length > 1
      ? [{ label: t("history:copy"), icon: icon(Copy), onSelect: () => undefined, items: [copies] }]
      : copies;
  return [
    common,
    [...files, ...copy],
    [
      {
        label: t("common:delete"),
        icon: icon(Trash2),
        danger: true,
        shortcut: "delete",
        onSelect: () => void actions.remove([id]),
      },
    ],
  ];
}
