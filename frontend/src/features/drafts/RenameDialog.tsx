import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { DraftRow } from "@/api/drafts";
import { Button, Dialog, TextField } from "@/ui";
import { maxTitle } from "./name";

export function RenameDialog({
  draft,
  close,
  save,
}: {
  draft: DraftRow | null;
  close(): void;
  save(draft: DraftRow, name: string): void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState(draft?.name ?? "");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!draft || name.trim() === "") return;
    save(draft, name.trim());
    close();
  }
  return (
    <Dialog
      open={draft !== null}
      onOpenChange={close}
      title={t("drafts.rename")}
      footer={
        <>
          <Button onClick={close}>{t("cancel")}</Button>
          <Button kind="primary" type="submit" form="rename-draft" disabled={name.trim() === ""}>
            {t("drafts.rename")}
          </Button>
        </>
      }
    >
      <form id="rename-draft" onSubmit={submit}>
        <TextField label={t("drafts.name")} value={name} maxLength={maxTitle} onChange={setName} autoFocus />
      </form>
    </Dialog>
  );
}
