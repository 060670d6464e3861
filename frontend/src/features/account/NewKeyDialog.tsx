import { Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCreateKey } from "@/api/account";
import { Button, Dialog, TextField, useCopy } from "@/ui";
import { AccountError } from "./AccountError";

/** Creates an API key: first its name, then the key itself, which is shown this once. */
export function NewKeyDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation("account");
  const create = useCreateKey();
  const copy = useCopy();
  const [name, setName] = useState("");
  const key = create.data?.key;
  const send = () => {
    if (!create.isPending && key === undefined) create.mutate(name.trim());
  };
  const footer =
    key === undefined ? (
      <>
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button kind="primary" busy={create.isPending} onClick={send}>
          {t("newKey.create")}
        </Button>
      </>
    ) : (
      <>
        <Button onClick={onClose}>{t("newKey.done")}</Button>
        <Button kind="primary" icon={<Copy size={16} aria-hidden />} onClick={() => copy(key)}>
          {t("newKey.copy")}
        </Button>
      </>
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t("newKey.title")}
      footer={footer}
    >
      {key === undefined ? (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <TextField
            label={t("newKey.name")}
            value={name}
            onChange={setName}
            maxLength={100}
            hint={t("newKey.nameHint")}
            disabled={create.isPending}
          />
          {create.error ? <AccountError error={create.error} /> : null}
        </form>
      ) : (
        <div className="grid gap-3">
          <p role="status">{t("newKey.once")}</p>
          <code
            className="rounded-m bg-fill px-2 py-1.5 font-mono text-12 break-all text-ink select-all"
            dir="ltr"
            aria-label={t("newKey.key")}
            role="group"
          >
            {key}
          </code>
        </div>
      )}
    </Dialog>
  );
}
