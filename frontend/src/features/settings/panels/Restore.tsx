import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { checkBackup, discardBackup, restoreBackup } from "@/api/backup";
import { toApiError } from "@/api/errors";
import type { CheckedBackup } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, Checkbox, Dialog, ErrorBox, FileInput, ProgressBar } from "@/ui";
import { SettingRow } from "../SettingRow";

const kinds = ["generations", "books", "transcripts", "profiles", "drafts", "pronunciations"] as const;

/** What a backup holds, beside what is here now. */
function Contents({ checked }: { checked: CheckedBackup }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  return (
    <table className="w-full border-collapse text-start">
      <thead>
        <tr className="text-12 text-ink-2">
          <td />
          <th scope="col" className="py-1 text-end font-medium">
            {t("restore.inBackup")}
          </th>
          <th scope="col" className="py-1 text-end font-medium">
            {t("restore.here")}
          </th>
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind} className="border-t border-line">
            <th scope="row" className="py-1 text-start font-normal">
              {t(`restore.kinds.${kind}`)}
            </th>
            <td className="py-1 text-end">{format.number(checked.holds[kind])}</td>
            <td className="py-1 text-end">{format.number(checked.present[kind])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The settings by which the backup changes what this program connects to. */
function NetworkChoice({
  changes,
  taken,
  onTake,
}: {
  changes: CheckedBackup["network"];
  taken: boolean;
  onTake(taken: boolean): void;
}) {
  const { t } = useTranslation("settings");
  if (changes.length === 0) return null;
  return (
    <div className="grid gap-1">
      <p>{t("restore.network")}</p>
      <ul className="text-12 text-ink-2">
        {changes.map(({ key, here, backup }) => (
          <li key={key} className="break-words">
            {t(`restore.settings.${key}`, { defaultValue: key })}: {here || "–"} → {backup || "–"}
          </li>
        ))}
      </ul>
      <Checkbox label={t("restore.takeNetwork")} checked={taken} onChange={onTake} />
    </div>
  );
}

interface QuestionProps {
  checked: CheckedBackup;
  open: boolean;
  busy: boolean;
  error: unknown;
  onCancel(): void;
  onRestore(networkSettings: boolean): void;
}

/** Says what the backup holds and what happens to the present library, before it is replaced. */
function Question({ checked, open, busy, error, onCancel, onRestore }: QuestionProps) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const [network, setNetwork] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={() => (busy ? undefined : onCancel())}
      title={t("restore.title")}
      width={520}
      footer={
        <>
          <Button unavailable={busy ? t("restore.restoring") : null} onClick={onCancel}>
            {t("common:cancel")}
          </Button>
          <Button kind="danger-full" busy={busy} onClick={() => onRestore(network)}>
            {t("restore.replace")}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>
          {t("restore.made", {
            date: format.dateTime(checked.created_at),
            version: checked.app_version,
            size: format.bytes(checked.bytes),
          })}
          {checked.missing > 0 ? ` ${t("restore.missing", { count: checked.missing })}` : ""}
          {checked.voice_prints > 0 ? ` ${t("restore.voicePrints", { count: checked.voice_prints })}` : ""}
        </p>
        <Contents checked={checked} />
        <p>{t("restore.kept")}</p>
        <NetworkChoice changes={checked.network} taken={network} onTake={setNetwork} />
        <p role="status" className="empty:hidden">
          {busy ? t("restore.restoring") : null}
        </p>
        {error ? <ErrorBox error={error} /> : null}
      </div>
    </Dialog>
  );
}

/** A file is chosen, sent and checked, and replaces the library once that is confirmed. */
function useRestore() {
  const [sent, setSent] = useState<number | null>(null); // while a file is sent and checked
  const [checked, setChecked] = useState<CheckedBackup | null>(null); // stays while the dialog closes, for its text
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController>(null);
  const pending = useRef<string>(null); // the backup that was checked and waits for an answer
  useEffect(
    () => () => {
      running.current?.abort();
      if (pending.current) void discardBackup(pending.current);
    },
    [],
  );
  return {
    sent,
    checked,
    asking,
    busy,
    error,
    async choose(file: File) {
      const abort = new AbortController();
      running.current = abort;
      setError(null);
      setSent(0);
      try {
        const answer = await checkBackup(file, { signal: abort.signal, onProgress: setSent });
        if (abort.signal.aborted) return void discardBackup(answer.id); // nobody waits for it any more
        pending.current = answer.id;
        setChecked(answer);
        setAsking(true);
      } catch (failure) {
        if (!abort.signal.aborted) setError(failure);
      } finally {
        setSent(null);
      }
    },
    stop: () => running.current?.abort(),
    cancel() {
      setAsking(false);
      setError(null);
      pending.current = null;
      if (checked) void discardBackup(checked.id);
    },
    async restore(networkSettings: boolean) {
      if (!checked) return;
      pending.current = null;
      setBusy(true);
      setError(null);
      try {
        await restoreBackup(checked.id, networkSettings);
        history.go(0); // everything that the page knows is of the former library
      } catch (failure) {
        setError(failure);
        setBusy(false);
        if (toApiError(failure).code === "restore_undone") return setAsking(false); // the backup is gone
        pending.current = checked.id;
      }
    },
  };
}

/** Replaces the library with that of a backup. */
export function RestoreRow() {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const field = useRef<HTMLInputElement>(null);
  const { sent, checked, asking, busy, error, ...actions } = useRestore();
  return (
    <SettingRow
      id="storage.restore"
      below={
        <>
          {sent === null ? null : (
            <div className="mt-2">
              <ProgressBar
                label={t("restore.checking")}
                value={sent < 1 ? sent : null}
                text={sent < 1 ? t("restore.sending", { part: format.percent(sent) }) : t("restore.checking")}
              />
            </div>
          )}
          {error && !asking ? (
            <div className="mt-2">
              <ErrorBox error={error} />
            </div>
          ) : null}
        </>
      }
    >
      <FileInput
        ref={field}
        label={t("restore.file")}
        accept=".zip,application/zip"
        onChoose={([chosen]) => void actions.choose(chosen)}
      />
      <Button onClick={() => (sent === null ? field.current?.click() : actions.stop())}>
        {sent === null ? t("restore.choose") : t("common:stop")}
      </Button>
      {checked ? (
        <Question
          checked={checked}
          open={asking}
          busy={busy}
          error={error}
          onCancel={actions.cancel}
          onRestore={(network) => void actions.restore(network)}
        />
      ) : null}
    </SettingRow>
  );
}
