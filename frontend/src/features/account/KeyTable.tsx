import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AccountKey } from "@/api/account";
import { useFormat } from "@/i18n/format";
import { Button, Chip, cx } from "@/ui";

/** Reports whether a key of the account is the stored one of this machine, of which only the beginning is known. */
export const isOwn = (key: AccountKey, own: string): boolean =>
  own ? key.keyPrefix.startsWith(own) || own.startsWith(key.keyPrefix) : false;

/** Active keys first, each group with the newest first. */
const sorted = (keys: readonly AccountKey[]): AccountKey[] =>
  [...keys].sort(
    (a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || b.createdAt.localeCompare(a.createdAt),
  );

interface Props {
  keys: readonly AccountKey[];
  own: string;
  onRevoke(key: AccountKey): void;
}

const cell = "border-b border-line py-2 pe-4 text-start font-normal";

function KeyRow({ accountKey, own, onRevoke }: Omit<Props, "keys"> & { accountKey: AccountKey }) {
  const { t } = useTranslation("account");
  const format = useFormat();
  const { keyPrefix, name, createdAt, lastUsedAt, revokedAt } = accountKey;
  const isRevoked = revokedAt !== null;
  const label = name || t("keys.unnamed");
  return (
    <tr className={cx(isRevoked && "text-ink-3")}>
      <th scope="row" className={cx(cell, "wrap-anywhere")}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {label}
          {isOwn(accountKey, own) && !isRevoked ? (
            <>
              <Chip>{t("keys.thisMachine")}</Chip>
              <Chip tone="ok">{t("keys.discount")}</Chip>
            </>
          ) : null}
        </span>
      </th>
      <td className={cell}>
        <code className="font-mono text-12" dir="ltr">
          {keyPrefix}…
        </code>
      </td>
      <td className={cx(cell, "whitespace-nowrap max-narrow:hidden")}>{format.date(createdAt)}</td>
      <td className={cell}>{lastUsedAt ? format.ago(lastUsedAt) : t("keys.never")}</td>
      <td className="border-b border-line py-1 text-end">
        {isRevoked ? (
          <span title={format.dateTime(revokedAt)}>{t("keys.revoked")}</span>
        ) : (
          <RevokeButton name={label} onClick={() => onRevoke(accountKey)} />
        )}
      </td>
    </tr>
  );
}

function RevokeButton({ name, onClick }: { name: string; onClick(): void }) {
  const { t } = useTranslation("account");
  return (
    <Button
      kind="quiet"
      size="small"
      className="-me-2.5"
      aria-label={t("keys.revokeNamed", { name })}
      onClick={onClick}
    >
      {t("keys.revoke")}
    </Button>
  );
}

export function KeyTable({ keys, own, onRevoke }: Props) {
  const { t } = useTranslation("account");
  if (keys.length === 0) return <p className="text-ink-3">{t("keys.none")}</p>;
  const head = (text: ReactNode, extra = "") => (
    <th scope="col" className={cx(cell, "text-12 text-ink-3", extra)}>
      {text}
    </th>
  );
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr>
          {head(t("keys.name"))}
          {head(t("keys.prefix"))}
          {head(t("keys.created"), "max-narrow:hidden")}
          {head(t("keys.lastUsed"))}
          {head(<span className="sr-only">{t("keys.actions")}</span>)}
        </tr>
      </thead>
      <tbody>
        {sorted(keys).map((key) => (
          <KeyRow key={key.id} accountKey={key} own={own} onRevoke={onRevoke} />
        ))}
      </tbody>
    </table>
  );
}
