import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTestConnection } from "@/api/account";
import { usePutSettings } from "@/api/settings";
import { Button, Card, TextField } from "@/ui";
import { AccountError } from "./AccountError";
import { baseUrlKey, TestResult } from "./baseUrl";

/** The first step: the address of the service, because there is none that every program could know. */
export function SetUp() {
  const { t } = useTranslation("account");
  const [url, setUrl] = useState("");
  const put = usePutSettings();
  const test = useTestConnection();
  const typed = url.trim();
  const refused = put.error?.field(baseUrlKey);
  const change = (next: string) => {
    setUrl(next);
    put.reset();
    test.reset();
  };
  return (
    <Card>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed) put.mutate({ [baseUrlKey]: typed });
        }}
      >
        <div className="grid gap-1">
          <h2 className="text-17 font-semibold">{t("setUp.title")}</h2>
          <p className="text-ink-2">{t("setUp.about")}</p>
        </div>
        <TextField
          type="url"
          inputMode="url"
          label={t("baseUrl.label")}
          value={url}
          onChange={change}
          placeholder="https://"
          hint={t("baseUrl.hint")}
          error={refused ? t("baseUrl.refused") : undefined}
          dir="ltr"
          spellCheck={false}
        />
        <TestResult test={test} />
        {put.error && !refused ? <AccountError error={put.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button disabled={!typed} busy={test.isPending} onClick={() => test.mutate(typed)}>
            {t("baseUrl.test")}
          </Button>
          <Button kind="primary" type="submit" disabled={!typed} busy={put.isPending}>
            {t("setUp.continue")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
