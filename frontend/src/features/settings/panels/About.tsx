import { useTranslation } from "react-i18next";
import { useHealth } from "@/api/system";
import { SettingRow } from "../SettingRow";
import { DocumentRow } from "./Document";
import { UpdatesRow } from "./Updates";

/** Bundled as a chunk that only this page loads. */
const load = async () => (await import("../../../../../THIRD_PARTY.md?raw")).default;

export function About() {
  const { t } = useTranslation("settings");
  const version = useHealth().data?.version;
  return (
    <>
      <SettingRow id="about.version">{version ? <span>{t("version", { version })}</span> : null}</SettingRow>
      <UpdatesRow />
      <DocumentRow id="about.licences" name="licences" load={load} />
    </>
  );
}
