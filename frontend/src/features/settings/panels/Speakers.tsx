import { useTranslation } from "react-i18next";
import { KnownSpeakers } from "@/features/speakers";
import { href } from "@/lib/router";
import { SettingRow, useSearching } from "../SettingRow";

/** The people whose voices are recognised in transcripts. */
export function Speakers() {
  const { t } = useTranslation("settings");
  if (useSearching())
    return (
      <SettingRow id="speakers.known">
        <a className="k-btn" href={href("settings", ["speakers"])}>
          {t("openSpeakers")}
        </a>
      </SettingRow>
    );
  return (
    <>
      <p className="mb-4 max-w-[60ch] text-12 text-ink-3">{t("rows.speakers.known.hint")}</p>
      <KnownSpeakers />
    </>
  );
}
