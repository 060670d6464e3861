import { Copy, MoreHorizontal, PenLine, Trash2, Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { href, navigate } from "@/lib/router";
import type { Profile } from "@/api/types";
import { useVoiceItems, type Voice } from "./library";
import { IconButton, Menu, type MenuGroups } from "@/ui";
import type { VoiceActions } from "./actions";

export const toStudio = (profile: Profile) => navigate(href("studio", [], { voice: profile.id }));

/** The actions on a voice; `use` is left out where it has its own button. */
export function VoiceMenu({
  voice,
  actions,
  isOfRow = false,
  tabIndex,
}: {
  voice: Voice;
  actions: VoiceActions;
  /** Its button stands in the row of the voice; the details have their own buttons. */
  isOfRow?: boolean;
  tabIndex?: number;
}) {
  const { t } = useTranslation("voices");
  const { profile, name } = voice;
  const items = useVoiceItems(voice);
  const groups: MenuGroups = [
    isOfRow && profile.usable
      ? [{ label: t("use"), icon: <PenLine size={16} />, shortcut: "enter", onSelect: () => toStudio(profile) }]
      : [],
    isOfRow ? items : [],
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
    <Menu isOfRow={isOfRow} groups={groups}>
      <IconButton
        label={t("moreOf", { name })}
        tabIndex={tabIndex}
        className="k-later"
        icon={<MoreHorizontal size={16} />}
      />
    </Menu>
  );
}
