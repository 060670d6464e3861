import { useTranslation } from "react-i18next";
import { useSystem } from "@/api/system";
import type { SystemInfo } from "@/api/types";
import { ProgramHelp } from "@/features/programs";
import { useFormat } from "@/i18n/format";
import { programNames } from "@/i18n/programs";
import { Chip, ErrorBox, Meter, Skeleton } from "@/ui";
import { SettingRow } from "../SettingRow";

function Machine({ system }: { system: SystemInfo }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  return (
    <SettingRow
      id="devices.machine"
      below={
        <ul className="mt-2 grid gap-1">
          {system.devices.map((device) => (
            <li key={device.id} className="flex flex-wrap gap-x-3">
              <span>{device.name || device.id}</span>
              <span className="text-ink-3">
                {[
                  device.cores ? t("cores", { count: device.cores }) : "",
                  device.memory ? format.bytes(device.memory.total) : "",
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ul>
      }
    />
  );
}

function Memory({ system }: { system: SystemInfo }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  if (!system.memory) return null;
  const { total, free } = system.memory;
  const words = t("freeOf", { free: format.bytes(free), total: format.bytes(total) });
  return (
    <SettingRow id="devices.memory" note={words}>
      <span className="block w-56">
        <Meter text={words} parts={[{ name: "used", part: (total - free) / total, colour: "var(--text-3)" }]} />
      </span>
    </SettingRow>
  );
}

function Helpers({ system }: { system: SystemInfo }) {
  const { t } = useTranslation("settings");
  return (
    <SettingRow
      id="devices.helpers"
      below={
        <ul className="mt-2 grid gap-2">
          {system.libraries.map((library) => (
            <li key={library.name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-32">{programNames[library.name] ?? library.name}</span>
              {library.available ? (
                <span className="text-ink-3">{library.version || t("installed")}</span>
              ) : (
                <Chip tone="warn">{t("notInstalled")}</Chip>
              )}
              {library.install ? (
                <div className="basis-full">
                  <ProgramHelp name={library.name} />
                </div>
              ) : library.reason ? (
                <span className="text-12 text-ink-2">{library.reason}</span>
              ) : null}
            </li>
          ))}
        </ul>
      }
    />
  );
}

export function Devices() {
  const system = useSystem();
  if (system.error) return <ErrorBox error={system.error} />;
  if (!system.data) return <Skeleton className="h-24" />;
  return (
    <>
      <Machine system={system.data} />
      <Memory system={system.data} />
      <Helpers system={system.data} />
    </>
  );
}
