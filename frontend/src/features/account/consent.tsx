import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ApiError } from "@/api/errors";
import { useHostedStatus } from "@/api/hosted";
import { usePutSettings } from "@/api/settings";
import { Button, Dialog } from "@/ui";
import { AccountError } from "./AccountError";

export const allowFileKey = "secrets.allow_file";
const unavailable = "secrets_unavailable";

/** The question whether secrets may be stored in a file, with what that protects against. */
export function ConsentDialog({ open, onAnswer }: { open: boolean; onAnswer(isAllowed: boolean): void }) {
  const { t } = useTranslation("account");
  const put = usePutSettings();
  const allow = () => put.mutate({ [allowFileKey]: true }, { onSuccess: () => onAnswer(true) });
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onAnswer(false);
      }}
      title={t("consent.title")}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>{t("common:cancel")}</Button>
          <Button kind="primary" busy={put.isPending} onClick={allow}>
            {t("consent.allow")}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>{t("consent.why")}</p>
        <p>{t("consent.protects")}</p>
        {put.error ? <AccountError error={put.error} /> : null}
      </div>
    </Dialog>
  );
}

/** Reports whether an error is that secrets cannot be stored, while a file is not permitted. */
export function useNeedsConsent(): (error: { code: string } | null | undefined) => boolean {
  const isAllowed = useHostedStatus().data?.secrets.file_allowed === true;
  return (error) => error?.code === unavailable && !isAllowed;
}

/**
 * An action that stores a secret. Where there is no keychain it asks for a file first, or when storing has failed, and
 * goes on after a yes.
 */
export function useStoreSecret<R, V>(action: UseMutationResult<R, ApiError, V>, onSuccess?: () => void) {
  const needsConsent = useNeedsConsent();
  const secrets = useHostedStatus().data?.secrets;
  const hasPlace = secrets === undefined || secrets.place !== "none" || secrets.file_allowed;
  const [held, setHeld] = useState<{ variables: V } | null>(null); // not sent yet
  const [refused, setRefused] = useState<ApiError | null>(null);
  const { error } = action;
  const asks = held !== null || (needsConsent(error) && error !== refused);
  const send = (variables: V) => action.mutate(variables, onSuccess ? { onSuccess } : {});
  const run = (variables: V) => (hasPlace ? send(variables) : setHeld({ variables }));
  function answer(isAllowed: boolean) {
    setHeld(null);
    if (isAllowed) send(held ? held.variables : (action.variables as V));
    else setRefused(error);
  }
  return {
    run,
    /** Without asking, because the person has just permitted a file. */
    send,
    error: asks ? null : error,
    consent: <ConsentDialog open={asks} onAnswer={answer} />,
  };
}
