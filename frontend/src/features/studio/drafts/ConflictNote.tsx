import { Files, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "@/lib/store";
import { Button, IconButton } from "@/ui";
import type { Keeper } from "./draftStore";
import type { DraftActions } from "./useDraftActions";

/** Two windows wrote on one draft: says which is which, and opens the other one. */
export function ConflictNote({ keeper, actions }: { keeper: Keeper; actions: DraftActions }) {
  const { t } = useTranslation("studio");
  const { parted, id } = useStore(keeper.state);
  if (!parted) return null;
  const other =
    id === parted.copyId ? { id: parted.id, name: parted.name } : { id: parted.copyId, name: parted.copyName };
  function open() {
    keeper.dismissParted();
    actions.open(other);
  }
  return (
    <div className="st-note" role="status">
      <Files size={16} aria-hidden />
      <p className="min-w-0 flex-1 break-words">{t("parted.text", { name: parted.name, copy: parted.copyName })}</p>
      <Button size="small" onClick={open}>
        {t("parted.open", { name: other.name })}
      </Button>
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={keeper.dismissParted} />
    </div>
  );
}
