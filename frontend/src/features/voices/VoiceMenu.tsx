import { Copy, MoreHorizontal, PenLine, Trash2, Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { href, navigate } from "@/lib/router";
import type { Profile } from "@/api/types";
import { type Voice } from "./library";
import { IconButton, Menu, type MenuGroups } from "@/ui";
import type { VoiceActions } from "./actions";

export const toStudio = (profile: Profile) => navigate(href("studio", [], { voice: profile.id }));

/** The actions on a voice; `use` is left out where it has its own button. */
export function VoiceMenu({
  voice,
  actions,
  use = true,
  tabIndex,
}: {
  voice: Voice;
  actions: VoiceActions;
  use?: boolean;
  tabIndex?: number;
}) {
  const { t } = useTranslation("voices");
  const { profile, name } = voice;
  const groups: MenuGroups = [
    use && profile.usable
      ? [{ label: t("use"), icon: <PenLine size={16} />, shortcut: "enter", onSelect: () => toStudio(profile) }]
      : [],
    [
      { label: t("duplicate"), icon: <Copy size={16} />, onSelect: () => actions.duplicate(profile) },
      { label: t("export"), icon: <Upload size={16} />, onSelect: () => actions.download(voice) },
    ],
    [
      {
        label: t("common:delete"),
        icon: <Trash2 size={16} />,
        danger: true,
        shortcut: "delete",
        onSelect: () => actions.remove(voice),
      },
    ],
  ];
  return (
    <Menu groups={groups}>
      <IconButton label={t("moreOf", { name })} tabIndex={tabIndex} icon={<MoreHorizontal size={16} />} />
    </Menu>
  );
}
