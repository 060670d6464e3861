import { useTranslation } from "react-i18next";
import { programNames } from "@/i18n/programs";

/** The row of the settings that says how the programs of others are installed. */
const helpers = "#/settings/devices/devices.helpers";

interface Props {
  code: string;
  params: Record<string, unknown>;
  tabIndex?: number;
}

/** For an error that a program is missing: a link to how it is installed; nothing where that is shown anyway. */
export function InstallLink({ code, params, tabIndex }: Props) {
  const { t } = useTranslation();
  const name = code === "runtime_missing" ? programNames[String(params.program)] : undefined;
  if (name === undefined || location.hash.startsWith(helpers)) return null;
  return (
    <a className="k-btn flex-none hover:no-underline" data-size="small" tabIndex={tabIndex} href={helpers}>
      {t("install", { name })}
    </a>
  );
}
