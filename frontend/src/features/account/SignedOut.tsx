import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useStoreKey } from "@/api/account";
import type { HostedStatus } from "@/api/hosted";
import { useOffline } from "@/api/offline";
import { Button, Card, TextField } from "@/ui";
import { AccountError } from "./AccountError";
import { ConsentDialog, useNeedsConsent, useStoreSecret } from "./consent";
import { ForgetKey } from "./ForgetKey";

/** A field for an API key that the person has; it is stored, and never shown again. */
function KeyForm({ onEnd }: { onEnd(): void }) {
  const { t } = useTranslation("account");
  const [key, setKey] = useState("");
  const store = useStoreKey();
  const storing = useStoreSecret(store, onEnd);
  const change = (next: string) => {
    setKey(next);
    store.reset();
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim()) storing.run(key.trim());
      }}
    >
      <TextField
        type="password"
        autoComplete="off"
        autoFocus
        label={t("key.label")}
        value={key}
        onChange={change}
        placeholder="svc_sk_…"
        hint={t("key.hint")}
        error={storing.error?.field("key") ? t("key.refused") : undefined}
        dir="ltr"
        spellCheck={false}
      />
      {storing.error && !storing.error.field("key") ? <AccountError error={storing.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onEnd}>{t("common:cancel")}</Button>
        <Button kind="primary" type="submit" disabled={!key.trim()} busy={store.isPending}>
          {t("key.save")}
        </Button>
      </div>
      {storing.consent}
    </form>
  );
}

interface Props {
  status: HostedStatus;
  isStarting: boolean;
  onSignIn(): void;
  /** A file for secrets was permitted, so that a sign-in that failed for lack of a place works now. */
  onAllowed(): void;
}

/** Why the last sign-in failed; where only a place for secrets was missing, a file can be permitted. */
function LoginError({ status, onAllowed }: Pick<Props, "status" | "onAllowed">) {
  const { t } = useTranslation("account");
  const needsConsent = useNeedsConsent();
  const [isAsking, setAsking] = useState(false);
  const { error } = status.login;
  if (!error) return null;
  return (
    <>
      <AccountError
        error={failureOf(error)}
        action={
          needsConsent(error) ? (
            <Button size="small" onClick={() => setAsking(true)}>
              {t("consent.allow")}
            </Button>
          ) : undefined
        }
      />
      <ConsentDialog
        open={isAsking}
        onAnswer={(isAllowed) => {
          setAsking(false);
          if (isAllowed) onAllowed();
        }}
      />
    </>
  );
}

/** No sign-in: one sentence, one button, and the way for people with an API key. */
export function SignedOut({ status, isStarting, onSignIn, onAllowed }: Props) {
  const { t } = useTranslation("account");
  const [isTyping, setTyping] = useState(false);
  const off = useOffline().on;
  const prefix = status.key_prefix;
  return (
    <Card className="grid gap-4">
      {prefix ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p>
            {t("key.inUse")} <code className="font-mono text-12">{prefix}…</code>
          </p>
          <ForgetKey />
        </div>
      ) : null}
      <p className={prefix ? "text-ink-2" : ""}>{t(prefix ? "signInForKeys" : "signInAbout")}</p>
      {off ? <p className="k-hint">{t("signInOffline")}</p> : null}
      <LoginError status={status} onAllowed={onAllowed} />
      {isTyping ? (
        <KeyForm onEnd={() => setTyping(false)} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            kind={prefix ? "plain" : "primary"}
            busy={isStarting}
            unavailable={off ? t("signInOffline") : null}
            onClick={onSignIn}
          >
            {t("signIn")}
          </Button>
          <Button kind="quiet" onClick={() => setTyping(true)}>
            {t(prefix ? "key.useOther" : "key.use")}
          </Button>
        </div>
      )}
    </Card>
  );
}
