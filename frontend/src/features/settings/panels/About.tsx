import { useTranslation } from "react-i18next";
import { useHealth } from "@/api/system";
import { SettingRow, useSearching } from "../SettingRow";
import { Document } from "./Document";

/** Bundled as a chunk that only this page loads. */
const load = async () => (await import("../../../../../THIRD_PARTY.md?raw")).default;

export function About() {
  const { t } = useTranslation("settings");
  const version = useHealth().data?.version;
  const searching = useSearching();
  return (
    <>
      <SettingRow id="about.version">{version ? <span>{t("version", { version })}</span> : null}</SettingRow>
      <SettingRow id="about.licences" below={searching ? null : <Document name="licences" load={load} />} />
    </>
  );
}
