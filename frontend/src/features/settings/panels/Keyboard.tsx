import { useTranslation } from "react-i18next";
import { KeyList } from "@/lib/KeyList";
import { keyGroups } from "@/lib/keyTable";
import { prefs, usePrefs } from "@/lib/prefs";
import { Switch } from "@/ui";
import { KeyField } from "../keyboard/KeyField";
import { SettingRow, useSearching } from "../SettingRow";

function SingleKeys() {
  const { t } = useTranslation("settings");
  const { singleKeys } = usePrefs();
  return (
    <SettingRow id="keyboard.single" onReset={singleKeys ? undefined : () => prefs.set({ singleKeys: true })}>
      <Switch
        label={t("rows.keyboard.single.title")}
        checked={singleKeys}
        onChange={(next) => prefs.set({ singleKeys: next })}
      />
    </SettingRow>
  );
}

function Shortcuts() {
  const { keys } = usePrefs();
  const searching = useSearching();
  const isChanged = Object.keys(keys).length > 0;
  return (
    <SettingRow
      id="keyboard.shortcuts"
      onReset={isChanged ? () => prefs.set({ keys: {} }) : undefined}
      below={
        searching ? null : (
          <div className="mt-4">
            {keyGroups.map((group) => (
              <KeyList
                key={group}
                group={group}
                render={(action, title) => <KeyField key={action} action={action} title={title} />}
              />
            ))}
          </div>
        )
      }
    />
  );
}

export function Keyboard() {
  return (
    <>
      <SingleKeys />
      <Shortcuts />
    </>
  );
}
