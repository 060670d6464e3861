import { Copy, Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { apiUrl } from "@/api/client";
import { openOutside, useSession } from "@/api/session";
import { Button, IconButton, useCopy } from "@/ui";
import { Code, SettingRow } from "../SettingRow";

/** A request that works as it is; the token is a placeholder on the screen until it is copied. */
export function curlLine(base: string, token: string): string {
  return ["curl", ...(token ? ["-H", `'Authorization: Bearer ${token}'`] : []), `${base}/profiles`].join(" ");
}

function TokenRow({ token }: { token: string }) {
  const { t } = useTranslation("settings");
  const copy = useCopy();
  const [shown, setShown] = useState(false);
  if (!token) return <SettingRow id="api.token" note={t("noToken")} />;
  return (
    <SettingRow
      id="api.token"
      below={
        shown ? (
          <p className="mt-2">
            <Code>{token}</Code>
          </p>
        ) : null
      }
    >
      <Button
        icon={shown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? t("hideToken") : t("showToken")}
      </Button>
      <Button onClick={() => copy(token)}>{t("copyToken")}</Button>
    </SettingRow>
  );
}

export function LocalApi() {
  const { t } = useTranslation("settings");
  const copy = useCopy();
  const { base, token } = useSession();
  const address = base || location.origin;
  return (
    <>
      <SettingRow id="api.current">
        <Code>{address}</Code>
        <IconButton label={t("copyAddress")} icon={<Copy size={16} />} onClick={() => copy(address)} />
      </SettingRow>
      <TokenRow token={token} />
      <SettingRow
        id="api.try"
        below={
          <p className="mt-2">
            <Code>{curlLine(address, token ? "…" : "")}</Code>
          </p>
        }
      >
        <Button onClick={() => copy(curlLine(address, token))}>{t("copyCurl")}</Button>
      </SettingRow>
      <SettingRow id="api.docs">
        <Button onClick={() => openOutside(apiUrl("/docs"))}>{t("openDocs")}</Button>
      </SettingRow>
    </>
  );
}
