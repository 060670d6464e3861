import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccountKeys, useCreateMachineKey, type AccountKey } from "@/api/account";
import type { HostedStatus } from "@/api/hosted";
import { Button, Card, Skeleton } from "@/ui";
import { AccountError } from "./AccountError";
import { useStoreSecret } from "./consent";
import { KeyTable } from "./KeyTable";
import { NewKeyDialog } from "./NewKeyDialog";
import { RevokeDialog } from "./RevokeDialog";

const maxActive = 10; // of an account (docs/contract/hosted-api.md, Limits)

/** Why no key can be created, or null. The service would refuse it; this says so before the click. */
function useReason(status: HostedStatus, keys: readonly AccountKey[] | undefined): string | null {
  const { t } = useTranslation("account");
  if (status.plan === "free" && (status.payg_credits ?? 0) <= 0) return t("keys.paidOnly");
  const active = keys?.filter((key) => key.revokedAt === null).length ?? 0;
  return active >= maxActive ? t("keys.tooMany", { count: maxActive }) : null;
}

/** Offers a key for this machine: speech with a key costs less than with a sign-in. */
function Offer({ canCreate }: { canCreate: boolean }) {
  const { t } = useTranslation("account");
  const create = useCreateMachineKey();
  const storing = useStoreSecret(create);
  if (!canCreate) return null;
  return (
    <Card className="mb-3 flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 flex-[1_1_240px]">{t("offer.text")}</p>
      <Button kind="primary" busy={create.isPending} onClick={() => storing.run(t("offer.name"))}>
        {t("offer.button")}
      </Button>
      {storing.error ? (
        <div className="w-full">
          <AccountError error={storing.error} />
        </div>
      ) : null}
      {storing.consent}
    </Card>
  );
}

/** The API keys of the account, and new ones. */
export function Keys({ status }: { status: HostedStatus }) {
  const { t } = useTranslation("account");
  const keys = useAccountKeys();
  const reason = useReason(status, keys.data);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AccountKey | null>(null);
  return (
    <section aria-labelledby="account-keys" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {status.key_prefix ? null : <Offer canCreate={reason === null} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="account-keys" className="text-14 font-semibold">
          {t("keys.title")}
        </h2>
        <Button
          size="small"
          icon={<Plus size={16} aria-hidden />}
          disabled={reason !== null}
          onClick={() => setCreating(true)}
        >
          {t("keys.new")}
        </Button>
      </div>
      {reason ? <p className="text-12 text-ink-3">{reason}</p> : null}
      {keys.data ? <KeyTable keys={keys.data} own={status.key_prefix} onRevoke={setRevoking} /> : null}
      {keys.isLoading ? <Skeleton className="h-16" /> : null}
      {keys.error ? (
        <AccountError
          error={keys.error}
          action={
            <Button size="small" onClick={() => void keys.refetch()}>
              {t("common:retry")}
            </Button>
          }
        />
      ) : null}
      {isCreating ? <NewKeyDialog onClose={() => setCreating(false)} /> : null}
      {revoking ? (
        <RevokeDialog accountKey={revoking} own={status.key_prefix} onClose={() => setRevoking(null)} />
      ) : null}
    </section>
  );
}
