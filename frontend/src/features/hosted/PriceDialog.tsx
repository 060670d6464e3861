import { useTranslation } from "react-i18next";
import { useHostedStatus } from "@/api/hosted";
import { useFormat } from "@/i18n/format";
import { Button, Dialog } from "@/ui";
import { useCredits } from "./words";

/** Confirms the price of a hosted generation; `credits` is null where it is unknown. */
export function PriceDialog({ credits, answer }: { credits: number | null; answer(yes: boolean): void }) {
  const { t } = useTranslation("hosted");
  const format = useFormat();
  const words = useCredits()(credits);
  const left = useHostedStatus().data?.credits ?? null;
  return (
    <Dialog
      open
      onOpenChange={() => answer(false)}
      title={credits === null ? t("confirm.titleUnknown") : t("confirm.title", { credits: words })}
      footer={
        <>
          <Button onClick={() => answer(false)}>{t("common:cancel")}</Button>
          <Button kind="primary" onClick={() => answer(true)}>
            {t("confirm.yes")}
          </Button>
        </>
      }
    >
      {credits === null ? <p>{t("confirm.textUnknown")}</p> : null}
      {left === null ? null : <p>{t("confirm.text", { left: format.number(left) })}</p>}
    </Dialog>
  );
}
