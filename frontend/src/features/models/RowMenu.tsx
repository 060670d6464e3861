import { FileInput, Info, MoreHorizontal, Scale, ShieldCheck, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton, Menu, type MenuItem } from "@/ui";
import { useModelActions } from "./modelActions";
import { openDialog } from "./dialogs";
import { type MainActionProps, useMainAction } from "./MainButton";
import { isFetching, isLocal } from "./phase";

interface Props extends MainActionProps {
  /** Opens the details, where the menu stands in a row of the list. */
  onDetails?: () => void;
}

/** All actions on a model. */
export function RowMenu({ onDetails, ...props }: Props) {
  const { model, phase } = props;
  const { t } = useTranslation("models");
  const main = useMainAction(props);
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
    ...(main && !main.isBusy && main.off === null && main.action !== "cancel"
      ? [item(main.label, main.Icon ? <main.Icon size={size} /> : undefined, main.run)]
      : []),
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
