import { useTranslation } from "react-i18next";

/** The name of the profile that exists from the first start, as the server stores it. */
const builtInProfileName = "Built-in voice";

/** Returns the name of a profile on screen; `builtIn` is the name of the built-in voice in the user's language. */
export const voiceName = (name: string, builtIn: string): string => (name === builtInProfileName ? builtIn : name);

export function useVoiceName(): (name: string) => string {
  const { t } = useTranslation();
  return (name) => voiceName(name, t("common:builtInVoice"));
}
