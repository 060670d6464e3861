import { HardDrive } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useHistoryStats, useHistoryStorage } from "@/api/history";
import { useSettings } from "@/api/settings";
import { secondsOf } from "@/lib/durations";
import { forEver, keptWords, useRetention } from "@/features/retention";
import { useFormat, type Format } from "@/i18n/format";
import { ErrorBox, IconButton, Popover, Select, Skeleton } from "@/ui";

const day = 86_400;
const kept = [7, 30, 90, 365] as const;

/** "278 hours": lengths at which minutes do not matter have none. */
export function soundWords(seconds: number, format: Format): string {
  const [unit, size] =
    seconds >= 7200 ? (["hour", 3600] as const) : seconds >= 120 ? (["minute", 60] as const) : (["second", 1] as const);
  return format.number(Math.round(seconds / size), { style: "unit", unit, unitDisplay: "long" });
}

/** How much disk space the audio uses and how long it is kept. */
export function StoragePanel() {
  const { t } = useTranslation("history");
  const [open, setOpen] = useState(false);
  const retention = useRetention(() => setOpen(true)); // opens the panel again with the new values
  return (
    <>
      <Popover.Root open={open && !retention.isAsking} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <IconButton label={t("storage.title")} icon={<HardDrive size={16} />} />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="k-float grid w-80 gap-3 p-4"
            align="end"
            sideOffset={4}
            collisionPadding={8}
            aria-label={t("storage.title")}
          >
            <Use />
            <Kept {...retention} />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {retention.question}
    </>
  );
}

function Use() {
  const { t } = useTranslation("history");
  const format = useFormat();
  const storage = useHistoryStorage();
  const stats = useHistoryStats().data;
  if (storage.error) return <ErrorBox error={storage.error} />;
  if (!storage.data) return <Skeleton className="h-10" />;
  const { bytes, files, missing, books } = storage.data;
  return (
    <div>
      <p className="text-17 font-semibold">{format.bytes(bytes)}</p>
      <p className="text-ink-2">
        {t("storage.files", { count: files, number: format.number(files) })}
        {stats ? ` · ${t("storage.audio", { time: soundWords(stats.seconds, format) })}` : ""}
      </p>
      {books.files > 0 ? <p className="text-ink-2">{t("storage.books", { size: format.bytes(books.bytes) })}</p> : null}
      {missing > 0 ? (
        <p className="mt-1 text-warn">{t("storage.missing", { count: missing, number: format.number(missing) })}</p>
      ) : null}
    </div>
  );
}

function Kept({ value, error, choose }: Pick<ReturnType<typeof useRetention>, "value" | "error" | "choose">) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const settings = useSettings();
  if (!settings.data) return settings.error ? <ErrorBox error={settings.error} /> : <Skeleton className="h-14" />;
  const seconds = value === forEver ? null : secondsOf(value);
  const days = kept.map((count) => ({
    value: `${count * 24}h`,
    label: t("storage.days", { count, number: format.number(count) }),
    seconds: count * day,
  }));
  const known = days.find((choice) => choice.seconds === seconds);
  const times =
    known || seconds === null
      ? days
      : [...days, { value, label: keptWords(value, format), seconds }].sort((a, b) => a.seconds - b.seconds);
  const choices = [
    { value: forEver, label: t("storage.forever") },
    ...times.map(({ value: time, label }) => ({ value: time, label })),
  ];
  return (
    <>
      <Select
        label={t("storage.keep")}
        hint={t("storage.keepHint")}
        value={known?.value ?? value}
        choices={choices}
        onChange={choose}
      />
      {error ? <ErrorBox error={error} /> : null}
    </>
  );
}
