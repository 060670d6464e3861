import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useQueryClient } from "@tanstack/react-query";
import { useCancelSignIn, useFinishSignIn } from "@/api/account";
import type { HostedStatus } from "@/api/hosted";
import { keys } from "@/api/keys";
import { openOutside, useSession } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { Button, Card, TextField } from "@/ui";
import { AccountError } from "./AccountError";

type Login = HostedStatus["login"];

const secondsUntil = (when: string): number => Math.max(0, Math.ceil((new Date(when).getTime() - Date.now()) / 1000));

/** The seconds until a time; at its end the status is read again. */
function useSecondsLeft(until: string | null): number | null {
  const client = useQueryClient();
  const [left, setLeft] = useState(() => (until ? secondsUntil(until) : null));
  useEffect(() => {
    if (!until) return;
    const timer = setInterval(() => {
      const seconds = secondsUntil(until);
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      void client.invalidateQueries({ queryKey: keys.hostedStatus });
    }, 1000);
    return () => clearInterval(timer);
  }, [until, client]);
  return left;
}

/** For a browser on another machine, which cannot open the address of this one. */
function PasteForm() {
  const { t } = useTranslation("account");
  const [url, setUrl] = useState("");
  const finish = useFinishSignIn();
  const change = (next: string) => {
    setUrl(next);
    finish.reset();
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim()) finish.mutate(url.trim());
      }}
    >
      <TextField
        autoFocus
        label={t("waiting.pasteLabel")}
        value={url}
        onChange={change}
        placeholder="http://127.0.0.1:…"
        hint={t("waiting.pasteHint")}
        dir="ltr"
        spellCheck={false}
      />
      {finish.error ? <AccountError error={finish.error} /> : null}
      <Button className="justify-self-start" type="submit" disabled={!url.trim()} busy={finish.isPending}>
        {t("waiting.finish")}
      </Button>
    </form>
  );
}

/** The person signs in on a page of the service, in the browser of this machine or of another one. */
export function Waiting({ login }: { login: Login }) {
  const { t } = useTranslation("account");
  const format = useFormat();
  const { desktop } = useSession();
  const cancel = useCancelSignIn();
  const left = useSecondsLeft(login.expires_at);
  const [isPasting, setPasting] = useState(false);
  const url = login.authorization_url;
  return (
    <Card className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="text-17 font-semibold">{t("waiting.title")}</h2>
        <p className="text-ink-2">{t("waiting.about")}</p>
      </div>
      {url ? (
        <p>
          <a
            className="text-accent-text underline"
            href={url}
            target="_blank"
            rel="noopener"
            onClick={(event) => {
              if (!desktop) return;
              event.preventDefault(); // the window cannot open a second one
              openOutside(url);
            }}
          >
            {t("waiting.open")}
          </a>
        </p>
      ) : null}
      {left === null ? null : (
        <p className="text-12 text-ink-3" role="timer">
          {t("waiting.left", { time: format.clock(left) })}
        </p>
      )}
      {cancel.error ? <AccountError error={cancel.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t("common:cancel")}
        </Button>
        <Button kind="quiet" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          {t("waiting.paste")}
        </Button>
      </div>
      {isPasting ? <PasteForm /> : null}
    </Card>
  );
}
