import { useTranslation } from "react-i18next";
import { useConnection } from "@/api/events";
import { useHealth, useSystem } from "@/api/system";
import type { SystemInfo } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, Skeleton, useCopy } from "@/ui";
import { SettingRow, useSearching } from "../SettingRow";

type Line = readonly [label: string, value: string];

function useLines(system: SystemInfo | undefined): Line[] {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const version = useHealth().data?.version ?? "";
  const { state } = useConnection();
  if (!system) return [];
  const space = (part: { free: number; total: number } | null) =>
    part ? t("freeOf", { free: format.bytes(part.free), total: format.bytes(part.total) }) : t("unknown");
  return [
    [t("report.version"), version],
    [t("report.system"), `${system.os} ${system.arch}`],
    ...system.devices.map((device): Line => [
      t("report.device"),
      [device.name || device.id, device.cores ? t("cores", { count: device.cores }) : ""].filter(Boolean).join(", "),
    ]),
    [t("report.memory"), space(system.memory)],
    [t("report.disk"), space(system.disk)],
    ...system.libraries.map((library): Line => [
      library.name,
      library.available
        ? [t("installed"), library.version].filter(Boolean).join(", ")
        : [t("notInstalled"), library.reason].filter(Boolean).join(": "),
    ]),
    [t("report.formats"), format.list(system.encoders)],
    [t("report.offline"), system.offline ? t("offlineOn") : t("offlineOff")],
    ...Object.entries(system.paths).map(([name, path]): Line => [t(`paths.${name}`, { defaultValue: name }), path]),
    [t("report.connection"), t(`connection.${state}`)],
    [t("report.browser"), navigator.userAgent],
  ];
}

export function Diagnostics() {
  const { t } = useTranslation("settings");
  const copy = useCopy();
  const system = useSystem();
  const lines = useLines(system.data);
  const searching = useSearching();
  if (system.error)
    return (
      <ErrorBox
        error={system.error}
        action={
          <Button size="small" onClick={() => void system.refetch()}>
            {t("common:retry")}
          </Button>
        }
      />
    );
  return (
    <SettingRow
      id="diagnostics.report"
      below={
        searching ? null : lines.length === 0 ? (
          <Skeleton className="mt-3 h-48" />
        ) : (
          <dl className="mt-3 grid grid-cols-[minmax(96px,max-content)_minmax(0,1fr)] gap-x-6">
            {lines.map(([label, value]) => (
              <div key={`${label}${value}`} className="col-span-2 grid grid-cols-subgrid border-t border-line py-1.5">
                <dt className="text-ink-3">{label}</dt>
                <dd className="break-words select-text" dir="auto">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
        )
      }
    >
      <Button onClick={() => copy(lines.map(([label, value]) => `${label}: ${value}`).join("\n"))}>
        {t("copyReport")}
      </Button>
    </SettingRow>
  );
}
