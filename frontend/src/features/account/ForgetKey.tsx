import { useTranslation } from "react-i18next";
import { useForgetKey } from "@/api/account";
import { useErrorText, toProblem } from "@/i18n/errors";
import { Button, useToast } from "@/ui";

/** Deletes the API key from this machine. It stays valid elsewhere, which the notice says. */
export function ForgetKey() {
  const { t } = useTranslation("account");
  const toast = useToast();
  const errorText = useErrorText();
  const forget = useForgetKey();
  const run = () =>
    forget.mutate(undefined, {
      onSuccess: () => toast({ text: t("key.forgotten") }),
      onError: (error) => toast({ text: errorText(toProblem(error)).title }),
    });
  return (
    <Button size="small" busy={forget.isPending} onClick={run}>
      {t("key.forget")}
    </Button>
  );
}
