import { useTranslation } from "react-i18next";
import { openOutside } from "@/api/session";
import { DownloadsOff, useDownloadsOff } from "@/features/downloads";
import { PriceDialog } from "@/features/hosted";
import { useFormat } from "@/i18n/format";
import { Button, Dialog } from "@/ui";
import type { ConfirmRequest } from "./useConfirmation";

/** Confirms a download or a licence before generating. */
export function ConfirmDialog({
  request,
  answer,
}: {
  request: ConfirmRequest | null;
  answer(confirmLabel: boolean): void;
}) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const downloadsOff = useDownloadsOff();
  if (!request) return null;
  if (request.price) return <PriceDialog credits={request.price.credits} answer={answer} />;
  const { license, sizeMb } = request;
  const off = sizeMb === null ? null : downloadsOff;
  const size = sizeMb === null ? "" : format.megabytes(sizeMb);
  const confirmLabel =
    sizeMb === null ? t("ask.accept") : license ? t("ask.acceptDownload", { size }) : t("ask.download", { size });
  return (
    <Dialog
      open
      onOpenChange={() => answer(false)}
      title={t(sizeMb === null ? "ask.licenseTitle" : "ask.downloadTitle", { name: request.name })}
      footer={
        <>
          <Button onClick={() => answer(false)}>{t("common:cancel")}</Button>
          {off === null ? (
            <Button kind="primary" onClick={() => answer(true)}>
              {confirmLabel}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="grid gap-3">
        {off !== null ? (
          <DownloadsOff reason={off} />
        ) : sizeMb === null ? null : (
          <p>{t("ask.downloadText", { size })}</p>
        )}
        {license && off === null ? (
          <p>
            {t("ask.licenseText", { license: license.name })}{" "}
            <button type="button" className="text-accent-text underline" onClick={() => openOutside(license.url)}>
              {t("ask.read")}
            </button>
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
