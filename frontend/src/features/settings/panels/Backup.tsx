import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveBackup, useBackupSize } from "@/api/backup";
import { cancelExport, useRunningExports } from "@/api/exports";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, ProgressBar, Skeleton, useToast } from "@/ui";
import { SettingRow } from "../SettingRow";

/** Says what a backup holds and how large it is, before it is saved. */
function Question({ open, onAnswer }: { open: boolean; onAnswer(save: boolean): void }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const size = useBackupSize(open);
  return (
    <Dialog
      open={open}
      onOpenChange={() => onAnswer(false)}
      title={t("backup.title")}
      width={480}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>{t("common:cancel")}</Button>
          <Button kind="primary" onClick={() => onAnswer(true)}>
            {t("backup.save")}
          </Button>
        </>
      }
    >
      <div className="grid gap-2">
        <p>{t("backup.holds")}</p>
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
  async function answer(save: boolean) {
    setAsking(false);
    if (!save) return;
    setError(null);
    try {
      if (await saveBackup(t("backup.job"), setId)) toast({ text: t("backup.saved") });
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
      <Question open={asking} onAnswer={(save) => void answer(save)} />
    </SettingRow>
  );
}
