import { useTranslation } from "react-i18next";
import { actionsFor } from "@/i18n/errors";

const account = "#/account";

/** A link to the Account screen. */
export function ToAccount({ tabIndex }: { tabIndex?: number | undefined }) {
  const { t } = useTranslation();
  return (
    <a className="k-btn flex-none hover:no-underline" data-size="small" tabIndex={tabIndex} href={account}>
      {t("openAccount")}
    </a>
  );
}

/** A link to the Account screen for the errors that it resolves; nothing on that screen itself. */
export function AccountLink({ code, tabIndex }: { code: string; tabIndex?: number }) {
  if (location.hash.startsWith(account) || !actionsFor(code).includes("openAccount")) return null;
  return <ToAccount tabIndex={tabIndex} />;
}
