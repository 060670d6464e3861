import { useTranslation } from "react-i18next";
import { offlineKey, useOffline } from "@/api/offline";
import { ErrorBox, Switch } from "@/ui";
import { Code, SettingRow, useRowWords } from "../SettingRow";
import { DocumentRow } from "./Document";

/** Bundled as a chunk that only this page loads. */
const load = async () => (await import("../../../../../docs/privacy.md?raw")).default;

function OfflineRow() {
  const { t } = useTranslation("settings");
  const { known, on, fixed, error, turn } = useOffline();
  const { title } = useRowWords()(offlineKey);
  return (
    <SettingRow
      id={offlineKey}
      note={fixed ? t("offlineFixed") : undefined}
      below={
        error ? (
          <div className="mt-2">
            <ErrorBox error={error} />
          </div>
        ) : null
      }
    >
      {known ? <Switch label={title} checked={on} disabled={fixed} onChange={turn} /> : null}
    </SettingRow>
  );
}

export function Network() {
  return (
    <>
      <OfflineRow />
      <SettingRow id="network.hub">
        <Code>HF_ENDPOINT</Code>
        <Code>HF_TOKEN</Code>
      </SettingRow>
      <DocumentRow id="network.privacy" name="privacy" load={load} />
    </>
  );
}
