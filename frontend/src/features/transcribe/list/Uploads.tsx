import { useQueryClient } from "@tanstack/react-query";
import { File as FileIcon, RotateCcw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, Row } from "@/ui";
import type { Upload } from "@/api/uploads";
import { cancelUpload, retryUpload } from "../uploads";
import { RowProgress } from "./RowProgress";

function UploadRow({ upload }: { upload: Upload }) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const client = useQueryClient();
  const { key, file, state, sent, error } = upload;
  return (
    <li>
      <Row className="px-4!">
        <FileIcon size={16} className="text-ink-3" aria-hidden />
        <span className="min-w-0 flex-1 truncate" dir="auto" title={file.name}>
          {file.name}
        </span>
        <span className="text-12 text-ink-3">{format.bytes(file.size)}</span>
        {state === "failed" ? null : (
          <RowProgress
            label={t("sending", { name: file.name })}
            value={state === "sending" ? sent : null}
            text={state === "sending" ? t("sendingAt", { part: format.percent(sent) }) : t("waiting")}
          />
        )}
        <IconButton
          label={t("cancelFile", { name: file.name })}
          icon={<X size={16} />}
          onClick={() => cancelUpload(key)}
        />
      </Row>
      {state === "failed" ? (
        <div className="px-4 py-2">
          <ErrorBox
            error={error}
            action={
              <Button size="small" icon={<RotateCcw size={14} aria-hidden />} onClick={() => retryUpload(client, key)}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
    </li>
  );
}

/** The files that are being sent, and those that could not be. */
export function Uploads({ uploads }: { uploads: readonly Upload[] }) {
  const { t } = useTranslation("transcribe");
  if (uploads.length === 0) return null;
  return (
    <ul className="tr-uploads" aria-label={t("uploads")}>
      {uploads.map((upload) => (
        <UploadRow key={upload.key} upload={upload} />
      ))}
    </ul>
  );
}
