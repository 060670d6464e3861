import { useTranslation } from "react-i18next";
import { goKeys, keyGroups, keyTable } from "@/lib/keyTable";

/** Returns the words for an action, which its default keys name. */
export function useActionTitle(): (action: string) => string {
  const { t } = useTranslation();
  return (action) => {
    const screen = Object.keys(goKeys).find((name) => goKeys[name] === action);
    if (screen) return t("goTo", { screen: t(`screens.${screen}`) });
    for (const group of keyGroups) {
      const line = keyTable[group].find(({ keys }) => keys.includes(action));
      if (line) return t(`keys.${group}.${line.name}`);
    }
    return action;
  };
}
