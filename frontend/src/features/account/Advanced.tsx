import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HostedStatus } from "@/api/hosted";
import { usePutSettings, useSettings } from "@/api/settings";
import { Fold, SavedField, Switch } from "@/ui";
import { AccountError } from "./AccountError";
import { BaseUrl } from "./baseUrl";
import { allowFileKey, ConsentDialog } from "./consent";
import { ForgetKey } from "./ForgetKey";

/** One option: its name, a sentence and its control. */
function Option({ name, children, note }: { name: string; children?: ReactNode; note?: ReactNode }) {
  const { t } = useTranslation("account");
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="min-w-0 flex-[1_1_240px]">
          <p id={id} className="font-medium">
            {t(`options.${name}.title`)}
          </p>
          <p className="max-w-[60ch] text-12 text-pretty text-ink-3">{note ?? t(`options.${name}.hint`)}</p>
        </div>
        {children}
      </div>
    </div>
  );
}

/** The hosted settings that are a text or a number, by the names of their texts. */
const fields = {
  warn: { key: "hosted.warn_credits", isNumber: true },
  ask: { key: "hosted.ask_credits", isNumber: true },
  issuer: { key: "hosted.issuer", isNumber: false },
  clientId: { key: "hosted.client_id", isNumber: false },
  audience: { key: "hosted.audience", isNumber: false },
  scopes: { key: "hosted.scopes", isNumber: false },
  clientSecret: { key: "hosted.client_secret", isNumber: false },
  resource: { key: "hosted.resource", isNumber: false },
  authParams: { key: "hosted.auth_params", isNumber: false },
} as const;

function FieldOption({ name }: { name: keyof typeof fields }) {
  const { t } = useTranslation("account");
  const { key, isNumber } = fields[name];
  const put = usePutSettings();
  const value = useSettings().data?.[key];
  const refused = put.error?.field(key);
  const isNotNumber = (typed: string) => isNumber && !/^\d+$/.test(typed);
  const [wrong, setWrong] = useState(false);
  if (value === undefined) return null;
  function save(typed: string) {
    const next = typed === "" && isNumber ? "0" : typed;
    setWrong(isNotNumber(next));
    if (!isNotNumber(next)) put.mutate({ [key]: isNumber ? Number(next) : next });
  }
  return (
    <Option name={name}>
      <SavedField
        className="w-56 max-w-full"
        label={t(`options.${name}.title`)}
        hideLabel
        inputMode={isNumber ? "numeric" : "text"}
        value={isNumber && Number(value) === 0 ? "" : String(value)}
        placeholder={t(isNumber ? "never" : "automatic")}
        error={wrong || refused ? t(isNumber ? "wrongNumber" : "wrongValue") : undefined}
        end={isNumber ? <span className="text-12 text-ink-3">{t("creditsUnit")}</span> : undefined}
        dir="ltr"
        onSave={save}
      />
      {put.error && !refused ? <AccountError error={put.error} /> : null}
    </Option>
  );
}

function SwitchOption({ name, setting, isOn }: { name: "enabled" | "idToken"; setting: string; isOn: boolean }) {
  const { t } = useTranslation("account");
  const put = usePutSettings();
  return (
    <Option name={name}>
      <Switch label={t(`options.${name}.title`)} checked={isOn} onChange={(on) => put.mutate({ [setting]: on })} />
      {put.error ? <AccountError error={put.error} /> : null}
    </Option>
  );
}

/** Where sign-in and key are stored, and whether a file may be used where there is no keychain. */
function SecretsOption({ status: { secrets, signed_in, key_prefix } }: { status: HostedStatus }) {
  const { t } = useTranslation("account");
  const put = usePutSettings();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Option name="secrets" note={t(`secrets.${signed_in || key_prefix ? secrets.place : "empty"}`)}>
        {key_prefix ? <ForgetKey /> : null}
      </Option>
      <Option name="allowFile">
        <Switch
          label={t("options.allowFile.title")}
          checked={secrets.file_allowed}
          onChange={(on) => (on ? setAsking(true) : put.mutate({ [allowFileKey]: false }))}
        />
        {put.error ? <AccountError error={put.error} /> : null}
      </Option>
      <ConsentDialog open={isAsking} onAnswer={() => setAsking(false)} />
    </>
  );
}

/** The prices that warn. */
export function Prices() {
  const { t } = useTranslation("account");
  return (
    <section aria-labelledby="account-prices">
      <h2 id="account-prices" className="text-14 font-semibold">
        {t("prices")}
      </h2>
      <FieldOption name="warn" />
      <FieldOption name="ask" />
    </section>
  );
}

/** Rarely changed: the address, the sign-in of services without discovery, and secrets. */
export function Advanced({ status }: { status: HostedStatus }) {
  const { t } = useTranslation("account");
  const values = useSettings().data;
  return (
    <section aria-label={t("advanced")}>
      <Fold title={t("advanced")}>
        <BaseUrl saved={status.base_url} />
        <SwitchOption name="enabled" setting="hosted.enabled" isOn={status.enabled} />
        <SecretsOption status={status} />
        <FieldOption name="issuer" />
        <FieldOption name="clientId" />
        <FieldOption name="clientSecret" />
        <FieldOption name="audience" />
        <FieldOption name="scopes" />
        <SwitchOption name="idToken" setting="hosted.use_id_token" isOn={values?.["hosted.use_id_token"] === true} />
        <FieldOption name="resource" />
        <FieldOption name="authParams" />
      </Fold>
    </section>
  );
}
