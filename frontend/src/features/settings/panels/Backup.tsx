import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { saveBackup, useBackupSize, type BackupChoice } from "@/api/backup";
import { cancelExport, useRunningExports } from "@/api/exports";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, ProgressBar, Skeleton, Switch, useToast } from "@/ui";
import { SettingRow } from "../SettingRow";

/** Says what a backup holds and how large it is, before it is saved. */
function Question({ open, onAnswer }: { open: boolean; onAnswer(choice: BackupChoice | null): void }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const id = useId();
  const [voice_prints, setVoicePrints] = useState(false);
  const size = useBackupSize({ voice_prints }, open);
  function answer(choice: BackupChoice | null) {
    setVoicePrints(false); // each backup begins without
    onAnswer(choice);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={() => answer(null)}
      title={t("backup.title")}
      width={480}
      footer={
        <>
          <Button onClick={() => answer(null)}>{t("common:cancel")}</Button>
          <Button kind="primary" onClick={() => answer({ voice_prints })}>
            {t("backup.save")}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>{t("backup.holds")}</p>
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <p>{t("backup.voicePrints")}</p>
            <p id={id} className="text-12 text-ink-2">
              {t("backup.voicePrintsHint")}
            </p>
          </div>
          <Switch
            label={t("backup.voicePrints")}
            aria-describedby={id}
            checked={voice_prints}
            onChange={setVoicePrints}
          />
        </div>
        {size.error ? <ErrorBox error={size.error} /> : null}
        {size.data ? (
          <p className="font-medium">{t("backup.size", { size: format.bytes(size.data.bytes) })}</p>
        ) : size.error ? null : (
          <Skeleton className="h-5" />
        )}
      </div>
    </Dialog>
  );
}

/** Saves the whole library to a file. */
export function BackupRow() {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const [id, setId] = useState("");
  const [error, setError] = useState<unknown>(null);
  const running = useRunningExports().find((job) => job.id === id);
  async function answer(choice: BackupChoice | null) {
    setAsking(false);
    if (!choice) return;
    setError(null);
    try {
      if (await saveBackup(t("backup.job"), choice, setId)) toast({ text: t("backup.saved") });
    } catch (failure) {
      setError(failure);
    }
  }
  return (
    <SettingRow
      id="storage.backup"
      below={
        <>
          {running ? (
            <div className="mt-2 flex items-center gap-3">
              <ProgressBar label={t("backup.job")} value={running.progress} text={format.percent(running.progress)} />
              <Button size="small" onClick={() => cancelExport(running.id)}>
                {t("common:stop")}
              </Button>
            </div>
          ) : null}
          {error ? (
            <div className="mt-2">
              <ErrorBox error={error} />
            </div>
          ) : null}
        </>
      }
    >
      <Button unavailable={running ? t("backup.running") : null} onClick={() => setAsking(true)}>
        {t("backup.make")}
      </Button>
      <Question open={asking} onAnswer={(choice) => void answer(choice)} />
    </SettingRow>
  );
}
