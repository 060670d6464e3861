import { HardDrive } from "lucide-react";
import { Popover } from "radix-ui";
import { useTranslation } from "react-i18next";
import { useHistoryStats, useHistoryStorage } from "@/api/history";
import { usePutSettings, useSettings } from "@/api/settings";
import { useFormat } from "@/i18n/format";
import { ErrorBox, IconButton, Select, Skeleton } from "@/ui";

const setting = "history.retention";
const forEver = "-1";
const day = 24;
const kept = [7, 30, 90, 365] as const;

/** The hours of a duration as the server writes it, such as "720h0m0s"; null for for ever and what is not in hours. */
export function hoursOf(duration: string): number | null {
  const hours = /^(\d+)h(?:0m)?(?:0s)?$/.exec(duration);
  return hours ? Number(hours[1]) : null;
}

/** How much room the sounds take and how long they are kept. */
export function StoragePanel() {
  const { t } = useTranslation("history");
  return (
    <Popover.Root>
      <Popover.Trigger asChild><IconButton label={t("storage.title")} icon={<HardDrive size={16} />} /></Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="k-float grid w-80 max-w-[calc(100vw-32px)] gap-3 p-4" align="end" sideOffset={4} collisionPadding={8} aria-label={t("storage.title")}><Use /><Retention /></Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Use() {
  const { t } = useTranslation("history");
  const format = useFormat();
  const storage = useHistoryStorage();
  const stats = useHistoryStats().data;
  if (storage.error) return <ErrorBox error={storage.error} />;
  if (!storage.data) return <Skeleton className="h-10" />;
  const { bytes, files, missing } = storage.data;
  return (
    <div>
      <p className="text-17 font-semibold">{format.bytes(bytes)}</p>
      <p className="text-ink-2">{t("storage.files", { count: files, number: format.number(files) })}{stats ? ` · ${t("storage.sound", { time: format.duration(stats.seconds) })}` : ""}</p>
      {missing > 0 ? <p className="mt-1 text-warn">{t("storage.missing", { count: missing, number: format.number(missing) })}</p> : null}
    </div>
  );
}

function Retention() {
  const { t } = useTranslation("history");
  const format = useFormat();
  const settings = useSettings();
  const put = usePutSettings();
  if (!settings.data) return settings.error ? <ErrorBox error={settings.error} /> : <Skeleton className="h-14" />;
  const value = String(settings.data[setting] ?? forEver);
  const hours = hoursOf(value);
  const days = [...new Set([...kept, ...(hours !== null && hours % day === 0 ? [hours / day] : [])])].sort((a, b) => a - b);
  const isNamed = value === forEver || (hours !== null && hours % day === 0);
  const choices = [
    { value: forEver, label: t("storage.forEver") },
    ...days.map((count) => ({ value: `${count * day}h`, label: t("storage.days", { count, number: format.number(count) }) })),
    ...(isNamed ? [] : [{ value, label: value }]),
  ];
  const chosen = value === forEver || !isNamed || hours === null ? value : `${hours}h`;
  return (
    <>
      <Select label={t("storage.keep")} hint={t("storage.keepHint")} value={chosen} choices={choices} onChange={(next) => put.mutate({ [setting]: next })} />
      {put.error ? <ErrorBox error={put.error} /> : null}
    </>
  );
}
