import { useQueryClient } from "@tanstack/react-query";
import { File as FileIcon, RotateCcw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, ProgressBar } from "@/ui";
import { useFileProblem } from "../useFileProblem";
import type { Upload } from "@/api/uploads";
import { cancelUpload, retryUpload, useUploads } from "../uploads";

function UploadRow({ upload }: { upload: Upload }) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const client = useQueryClient();
  const wordsOf = useFileProblem();
  const { key, file, state, sent, error } = upload;
  const words =
    state === "waiting" ? t("waiting") : sent < 1 ? t("sendingAt", { part: format.percent(sent) }) : t("reading");
  return (
    <li className="grid gap-2 py-2">
      <div className="flex items-center gap-3">
        <FileIcon size={16} className="flex-none text-ink-3" aria-hidden />
        <div className="min-w-0 flex-1">
          <div className="truncate" dir="auto" title={file.name}>
            {file.name}
          </div>
          {state === "failed" ? null : (
            <ProgressBar
              label={t("sending", { name: file.name })}
              value={state === "sending" && sent < 1 ? sent : null}
              text={`${words} · ${format.bytes(file.size)}`}
            />
          )}
        </div>
        <IconButton
          label={t("cancelFile", { name: file.name })}
          icon={<X size={16} />}
          onClick={() => cancelUpload(key)}
        />
      </div>
      {state === "failed" ? (
        <ErrorBox
          error={error}
          words={wordsOf(error, file.name)}
          action={
            <Button size="small" icon={<RotateCcw size={14} aria-hidden />} onClick={() => retryUpload(client, key)}>
              {t("common:retry")}
            </Button>
          }
        />
      ) : null}
    </li>
  );
}

/** The files that are being sent and read, and those that could not be. */
export function Uploads() {
  const { t } = useTranslation("books");
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  return (
    <ul className="bk-uploads" aria-label={t("uploads")}>
      {uploads.map((upload) => (
        <UploadRow key={upload.key} upload={upload} />
      ))}
    </ul>
  );
}
