import { Files, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "@/lib/store";
import { Button, IconButton } from "@/ui";
import type { TextStore } from "./textStore";
import type { DraftActions } from "./useDraftActions";

/** Reports that two windows changed one draft, and opens the other version. */
export function ConflictNote({ draftStore, actions }: { draftStore: TextStore; actions: DraftActions }) {
  const { t } = useTranslation("studio");
  const { conflict, id } = useStore(draftStore.state);
  if (!conflict) return null;
  const other =
    id === conflict.copyId
      ? { id: conflict.id, name: conflict.name }
      : { id: conflict.copyId, name: conflict.copyName };
  function open() {
    draftStore.dismissConflict();
    actions.open(other);
  }
  return (
    <div className="st-note" role="status">
      <Files size={16} aria-hidden />
      <p className="min-w-0 flex-1 break-words">
        {t("conflict.text", { name: conflict.name, copy: conflict.copyName })}
      </p>
      <Button size="small" onClick={open}>
        {t("conflict.open", { name: other.name })}
      </Button>
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={draftStore.dismissConflict} />
    </div>
  );
}
