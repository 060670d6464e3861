import { useTranslation } from "react-i18next";
import { useSystem } from "@/api/system";
import { Button, Chip } from "@/ui";
import { Code, SettingRow } from "../SettingRow";
import { useCopy } from "../useCopy";

const offlineCommand = "voicewright serve --offline";

export function Network() {
  const { t } = useTranslation("settings");
  const copy = useCopy();
  const offline = useSystem().data?.offline;
  return (
    <>
      <SettingRow id="network.offline" below={<p className="mt-2"><Code>{offlineCommand}</Code></p>}>
        {offline === undefined ? null : <Chip tone={offline ? "warn" : "ok"}>{offline ? t("offlineOn") : t("offlineOff")}</Chip>}
        <Button onClick={() => copy(offlineCommand)}>{t("copyCommand")}</Button>
      </SettingRow>
      <SettingRow id="network.hub"><Code>HF_ENDPOINT</Code><Code>HF_TOKEN</Code></SettingRow>
    </>
  );
}
