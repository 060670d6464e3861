import { useTranslation } from "react-i18next";
import { useForgetKey, useRevokeKey, type AccountKey } from "@/api/account";
import { Button, Dialog, useToast } from "@/ui";
import { AccountError } from "./AccountError";
import { isOwn } from "./KeyTable";

/** The question before a key is revoked, which cannot be undone. The key of this machine is deleted from it too. */
export function RevokeDialog({ accountKey, own, onClose }: { accountKey: AccountKey; own: string; onClose(): void }) {
  const { t } = useTranslation("account");
  const toast = useToast();
  const revoke = useRevokeKey();
  const forget = useForgetKey();
  const isThisMachine = isOwn(accountKey, own);
  const name = accountKey.name || t("keys.unnamed");
  const end = () => {
    toast({ text: t("revoke.done", { name }) });
    onClose();
  };
  const run = () =>
    revoke.mutate(accountKey.id, {
      onSuccess: () => (isThisMachine ? forget.mutate(undefined, { onSuccess: end }) : end()),
    });
  const error = revoke.error ?? forget.error;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t("revoke.title", { name })}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="danger-full" busy={revoke.isPending || forget.isPending} onClick={run}>
            {t("revoke.button")}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>{t(isThisMachine ? "revoke.thisMachine" : "revoke.other")}</p>
        {error ? <AccountError error={error} /> : null}
      </div>
    </Dialog>
  );
}
