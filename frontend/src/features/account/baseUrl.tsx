import { Check, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTestConnection } from "@/api/account";
import { failureOf } from "@/api/errors";
import type { HostedTest } from "@/api/hosted";
import { usePutSettings } from "@/api/settings";
import { useFormat } from "@/i18n/format";
import { Button, TextField } from "@/ui";
import { AccountError } from "./AccountError";

export const baseUrlKey = "hosted.base_url";

type Tested = ReturnType<typeof useTestConnection>;

function Answered({ ms, key_accepted }: HostedTest) {
  const { t } = useTranslation("account");
  const format = useFormat();
  const Icon = key_accepted === false ? X : Check;
  return (
    <p className="flex items-center gap-1.5 text-12 text-ink-2">
      <Icon size={16} className={key_accepted === false ? "text-danger" : "text-ok"} aria-hidden />
      <span>
        {t("baseUrl.answered", { ms: format.number(ms) })}
        {key_accepted === null ? null : ` ${t(key_accepted ? "baseUrl.accepted" : "baseUrl.notAccepted")}`}
      </span>
    </p>
  );
}

/** What the test of a connection found. */
export function TestResult({ test }: { test: Tested }) {
  const found = test.data;
  return (
    <div role="status" className="empty:absolute">
      {found?.ok ? <Answered {...found} /> : null}
      {found && !found.ok && found.error ? <AccountError error={failureOf(found.error)} /> : null}
      {test.error ? <AccountError error={test.error} /> : null}
    </div>
  );
}

/** The address of the service, saved on Enter and by its button, and a test of the address as it is typed. */
export function BaseUrl({ saved }: { saved: string }) {
  const { t } = useTranslation("account");
  const [url, setUrl] = useState<string | null>(null);
  const put = usePutSettings();
  const test = useTestConnection();
  const typed = (url ?? saved).trim();
  const isChanged = typed !== saved;
  const refused = put.error?.field(baseUrlKey);
  const change = (next: string) => {
    setUrl(next);
    put.reset();
    test.reset();
  };
  const save = () => put.mutate({ [baseUrlKey]: typed }, { onSuccess: () => setUrl(null) });
  return (
    <form
      className="grid gap-2 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) save();
      }}
    >
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          className="min-w-0 flex-[1_1_240px]"
          type="url"
          inputMode="url"
          label={t("baseUrl.label")}
          value={url ?? saved}
          onChange={change}
          onKeyDown={(e) => {
            if (e.key === "Escape") change(saved);
          }}
          hint={isChanged ? t("baseUrl.changeHint") : undefined}
          error={refused ? t("baseUrl.refused") : undefined}
          dir="ltr"
          spellCheck={false}
        />
        <div className="flex gap-2 pt-6">
          {isChanged ? (
            <Button type="submit" busy={put.isPending}>
              {t("common:save")}
            </Button>
          ) : null}
          <Button disabled={!typed} busy={test.isPending} onClick={() => test.mutate(isChanged ? typed : undefined)}>
            {t("baseUrl.test")}
          </Button>
        </div>
      </div>
      <TestResult test={test} />
      {put.error && !refused ? <AccountError error={put.error} /> : null}
    </form>
  );
}
