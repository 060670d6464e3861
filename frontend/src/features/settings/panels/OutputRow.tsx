import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePrefs } from "@/lib/prefs";
import {
  askForDevices,
  canChooseDevice,
  followDevices,
  output,
  systemDevice,
  useDeviceMissing,
  type Device,
} from "@/player";
import { Button, Select } from "@/ui";
import { SettingRow } from "../SettingRow";

const id = "general.output";

/** The device on which everything plays, where the browser can choose one. */
export function OutputRow() {
  const { t } = useTranslation("settings");
  return canChooseDevice() ? <DeviceRow /> : <SettingRow id={id} note={t("outputBySystem")} />;
}

function DeviceRow() {
  const { t } = useTranslation("settings");
  const { outputDevice: chosen } = usePrefs();
  const isMissing = useDeviceMissing();
  const [found, setFound] = useState<readonly Device[]>([]);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => followDevices(setFound), []);

  const all = found.some((device) => device.id === chosen.id) ? found : [...found, chosen];
  const choices = [systemDevice, ...all.filter((device) => device.id !== systemDevice.id)].map((device) => ({
    value: device.id,
    label: device.label || t("systemOutput"),
  }));
  const ask = () =>
    void askForDevices()
      .then(setFound)
      .then(
        () => setRefused(false),
        () => setRefused(true),
      );
  const unnamed = isRefused ? t("outputRefused") : t("outputUnnamed");
  const note = isMissing ? t("common:player.deviceMissing", { device: chosen.label }) : t(`rows.${id}.hint`);
  return (
    <SettingRow
      id={id}
      note={<span role="status">{found.length === 0 ? unnamed : note}</span>}
      onReset={chosen.id === systemDevice.id ? undefined : () => output.setDevice(systemDevice)}
    >
      {found.length === 0 ? <Button onClick={ask}>{t("findOutputs")}</Button> : null}
      {choices.length > 1 ? (
        <Select
          className="w-56"
          label={t(`rows.${id}.title`)}
          hideLabel
          value={chosen.id}
          choices={choices}
          onChange={(next) => output.setDevice(all.find((device) => device.id === next) ?? systemDevice)}
        />
      ) : null}
    </SettingRow>
  );
}
