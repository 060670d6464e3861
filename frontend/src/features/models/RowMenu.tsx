import { FileInput, Info, MoreHorizontal, Scale, ShieldCheck, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { IconButton, Menu, type MenuItem } from "@/ui";
import { useModelActions } from "./modelActions";
import { openDialog } from "./dialogs";
import { isFetching, isLocal, type Phase } from "./phase";

/** All actions on a model except the primary one. */
export function RowMenu({ model, phase, onDetails }: { model: Model; phase: Phase; onDetails?: () => void }) {
  const { t } = useTranslation("models");
  const { start } = useModelActions();
  const name = model.model_name;
  const fetching = isFetching(phase, model);
  const onDisk = model.downloaded || model.state === "broken";
  const size = 16;
  const item = (
    label: string,
    icon: MenuItem["icon"],
    onSelect: () => void,
    more: Partial<MenuItem> = {},
  ): MenuItem => ({ label, icon, onSelect, ...more });
  const work: MenuItem[] = [
    ...(fetching
      ? [item(t("action.cancelDownload"), <X size={size} />, () => start(model, { action: "cancel" }))]
      : []),
    ...(onDisk
      ? [item(t("action.verify"), <ShieldCheck size={size} />, () => start(model, { action: "verify" }))]
      : []),
    ...(!onDisk && !fetching
      ? [item(t("action.fill"), <FileInput size={size} />, () => openDialog({ kind: "fill", model: name }))]
      : []),
  ];
  const about: MenuItem[] = [
    ...(onDetails ? [item(t("common:details"), <Info size={size} />, onDetails)] : []),
    item(t("action.licence"), <Scale size={size} />, () => openDialog({ kind: "licence", model: name, action: null })),
  ];
  const remove =
    isLocal(model) && !fetching
      ? [
          item(t("action.delete"), <Trash2 size={size} />, () => openDialog({ kind: "delete", model: name }), {
            danger: true,
          }),
        ]
      : [];
  return (
    <Menu isOfRow groups={[work, about, remove]}>
      <IconButton
        label={t("moreFor", { name: model.display_name })}
        className="k-later"
        icon={<MoreHorizontal size={16} />}
      />
    </Menu>
  );
}
