import { User } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui";

interface Props {
  account: string;
  since: string | null;
  isEnding: boolean;
  onSignOut(): void;
}

/** Who is signed in, and since when. */
export function Identity({ account, since, isEnding, onSignOut }: Props) {
  const { t } = useTranslation("account");
  const format = useFormat();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="grid size-10 flex-none place-items-center rounded-full bg-fill text-ink-2" aria-hidden>
        <User size={20} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate text-14 font-medium" title={account}>
          {account}
        </p>
        {since ? <p className="text-12 text-ink-3">{t("since", { date: format.date(since) })}</p> : null}
      </div>
      <Button kind="quiet" className="-me-3" busy={isEnding} onClick={onSignOut}>
        {t("signOut")}
      </Button>
    </div>
  );
}
