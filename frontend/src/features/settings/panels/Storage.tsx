import { FolderOpen } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useHistoryStorage } from "@/api/history";
import { useModelsDirectory } from "@/api/models";
import { fileShower } from "@/api/save";
import { useSystem } from "@/api/system";
import { href } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, useCopy } from "@/ui";
import { Code, SettingRow } from "../SettingRow";
import { BackupRow } from "./Backup";
import { RestoreRow } from "./Restore";

/** A path that can be copied, and opened in the file manager from the desktop window. */
function useFolder(path: string): { buttons: ReactNode; problem: ReactNode } {
  const { t } = useTranslation("settings");
  const copy = useCopy();
  const [error, setError] = useState<unknown>(null);
  const show = fileShower();
  const open = () => {
    setError(null);
    void show?.(path).catch(setError);
  };
  if (!path) return { buttons: null, problem: null };
  return {
    buttons: (
      <>
        {show ? (
          <Button icon={<FolderOpen size={16} aria-hidden />} onClick={open}>
            {t("common:export.showFile")}
          </Button>
        ) : null}
        <Button onClick={() => copy(path)}>{t("copyPath")}</Button>
      </>
    ),
    problem: error ? (
      <div className="mt-2">
        <ErrorBox error={error} />
      </div>
    ) : null,
  };
}

function DataRow() {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const system = useSystem().data;
  const path = system?.paths.data ?? "";
  const { buttons, problem } = useFolder(path);
  return (
    <SettingRow
      id="storage.data"
      below={
        path ? (
          <>
            <p className="mt-2 text-12 text-ink-2">
              <Code>{path}</Code>
              {system?.disk ? (
                <span className="ms-2">
                  {t("freeOf", { free: format.bytes(system.disk.free), total: format.bytes(system.disk.total) })}
                </span>
              ) : null}
            </p>
            {problem}
          </>
        ) : null
      }
    >
      {buttons}
    </SettingRow>
  );
}

function ModelsRow() {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const folder = useModelsDirectory().data;
  const { buttons, problem } = useFolder(folder?.path ?? "");
  const state =
    folder &&
    (folder.moving && !folder.adopting
      ? t("moving", { done: format.bytes(folder.moved_bytes), total: format.bytes(folder.used_bytes) })
      : t("used", { size: format.bytes(folder.used_bytes) }));
  return (
    <SettingRow
      id="storage.models"
      below={
        folder ? (
          <>
            <p className="mt-2 text-12 text-ink-2">
              <Code>{folder.path}</Code>
              <span className="ms-2">{state}</span>
            </p>
            {problem}
          </>
        ) : null
      }
    >
      {buttons}
      <a className="k-btn" href={href("models")}>
        {t("openModels")}
      </a>
    </SettingRow>
  );
}

function HistoryRow() {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const storage = useHistoryStorage().data;
  const words =
    storage &&
    [
      t("files", { count: storage.files, size: format.bytes(storage.bytes) }),
      storage.books.files > 0
        ? t("ofBooks", { size: format.bytes(storage.books.bytes), texts: format.bytes(storage.books.text_bytes) })
        : "",
      storage.voice_prints.files > 0
        ? t("voicePrints", { count: storage.voice_prints.files, size: format.bytes(storage.voice_prints.bytes) })
        : "",
      storage.missing > 0 ? t("missing", { count: storage.missing }) : "",
    ]
      .filter(Boolean)
      .join(" ");
  return (
    <SettingRow id="storage.history" note={words}>
      <a className="k-btn" href={href("history")}>
        {t("openHistory")}
      </a>
    </SettingRow>
  );
}

export function Storage() {
  return (
    <>
      <DataRow />
      <ModelsRow />
      <HistoryRow />
      <BackupRow />
      <RestoreRow />
    </>
  );
}
