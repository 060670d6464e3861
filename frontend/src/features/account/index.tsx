import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useSignIn, useSignOut } from "@/api/account";
import { useHostedStatus, type HostedStatus } from "@/api/hosted";
import { usePutSettings } from "@/api/settings";
import { toProblem, useErrorText } from "@/i18n/errors";
import { useCommands } from "@/lib/commands";
import { Button, Card, Skeleton, useToast } from "@/ui";
import { AccountError } from "./AccountError";
import { Advanced, Prices } from "./Advanced";
import { useStoreSecret } from "./consent";
import { Credits } from "./Credits";
import { Identity } from "./Identity";
import { Keys } from "./Keys";
import { SetUp } from "./SetUp";
import { SignedOut } from "./SignedOut";
import { Usage } from "./Usage";
import { Waiting } from "./Waiting";

type State = "unconfigured" | "off" | "waiting" | "signedIn" | "signedOut";

function stateOf(status: HostedStatus): State {
  if (!status.configured) return "unconfigured";
  if (!status.enabled) return "off";
  if (status.signed_in) return "signedIn";
  return status.login.status === "waiting" ? "waiting" : "signedOut";
}

/** The service is set up, but turned off. */
function TurnedOff() {
  const { t } = useTranslation("account");
  const put = usePutSettings();
  return (
    <Card className="grid justify-items-start gap-3">
      <p>{t("off")}</p>
      <Button kind="primary" busy={put.isPending} onClick={() => put.mutate({ "hosted.enabled": true })}>
        {t("turnOn")}
      </Button>
      {put.error ? <AccountError error={put.error} /> : null}
    </Card>
  );
}

/** Moves the focus to the new content when the button that had it is gone, and says who is signed in. */
function useStateChange(state: State, account: string) {
  const { t } = useTranslation("account");
  const toast = useToast();
  const section = useRef<HTMLElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    const focused = document.activeElement;
    if (focused === null || focused === document.body) section.current?.focus();
    if (state === "signedIn") toast({ text: t("signedInAs", { account }) });
  }, [state, account, toast, t]);
  return section;
}

/** Why plan and credits could not be read, with what to do. */
function StatusError({ status, onSignIn, onRetry }: { status: HostedStatus; onSignIn(): void; onRetry(): void }) {
  const { t } = useTranslation("account");
  if (!status.error) return null;
  const { code } = status.error;
  const action =
    code === "hosted_not_signed_in" ? (
      <Button size="small" onClick={onSignIn}>
        {t("signInAgain")}
      </Button>
    ) : (
      <Button size="small" onClick={onRetry}>
        {t("common:retry")}
      </Button>
    );
  return <AccountError error={failureOf(status.error)} action={action} />;
}

/** Signs out, and says when only this machine could be. */
function useEndSession(signOut: ReturnType<typeof useSignOut>) {
  const toast = useToast();
  const errorText = useErrorText();
  return () =>
    signOut.mutate(undefined, {
      onSuccess: (answer) => {
        if (!answer) return;
        const { title, remedy } = errorText(toProblem(answer.notice));
        toast({ text: `${title} ${remedy}` });
      },
    });
}

function Content({ status, onRetry }: { status: HostedStatus; onRetry(): void }) {
  const { t } = useTranslation("account");
  const state = stateOf(status);
  const account = status.email || status.account;
  const section = useStateChange(state, account);
  const signIn = useSignIn();
  const signOut = useSignOut();
  const end = useEndSession(signOut);
  const storing = useStoreSecret(signIn);
  const start = () => storing.run();
  const isOut = state === "signedOut";
  useCommands([
    ...(isOut ? [{ id: "account:sign-in", title: t("signIn"), run: start }] : []),
    ...(state === "signedIn" ? [{ id: "account:sign-out", title: t("signOut"), run: end }] : []),
  ]);
  const hasAccount = state === "signedIn" || (isOut && Boolean(status.key_prefix));
  return (
    <>
      <section ref={section} tabIndex={-1} aria-label={t(`states.${state}`)} className="grid gap-4 outline-none">
        {state === "unconfigured" ? <SetUp /> : null}
        {state === "off" ? <TurnedOff /> : null}
        {state === "waiting" ? <Waiting login={status.login} /> : null}
        {isOut ? (
          <SignedOut status={status} onSignIn={start} onAllowed={() => storing.send()} isStarting={signIn.isPending} />
        ) : null}
        {state === "signedIn" ? (
          <Identity account={account} since={status.signed_in_at} onSignOut={end} isEnding={signOut.isPending} />
        ) : null}
        {storing.error ? <AccountError error={storing.error} /> : null}
        {signOut.error ? <AccountError error={signOut.error} /> : null}
        {hasAccount ? <StatusError status={status} onSignIn={start} onRetry={onRetry} /> : null}
      </section>
      {hasAccount ? <Credits status={status} /> : null}
      {hasAccount ? <Usage status={status} /> : null}
      {state === "signedIn" ? <Keys status={status} /> : null}
      {hasAccount ? <Prices /> : null}
      {state === "unconfigured" ? null : <Advanced status={status} />}
      {storing.consent}
    </>
  );
}

/** A region without controls must be scrollable by keyboard too. */
const scrolls = { tabIndex: 0 };

export default function Account() {
  const { t } = useTranslation("account");
  const status = useHostedStatus();
  const retry = () => void status.refetch();
  return (
    <div
      {...scrolls}
      role="region"
      aria-label={t("common:screens.account")}
      className="overflow-y-auto p-4 -outline-offset-2 narrow:px-8 narrow:py-8"
    >
      <div className="mx-auto grid max-w-[672px] grid-cols-[minmax(0,1fr)] gap-8">
        {status.data ? <Content status={status.data} onRetry={retry} /> : null}
        {status.isLoading ? <Skeleton className="h-24" /> : null}
        {status.error && !status.data ? (
          <AccountError
            error={status.error}
            action={
              <Button size="small" onClick={retry}>
                {t("common:retry")}
              </Button>
            }
          />
        ) : null}
      </div>
    </div>
  );
}
