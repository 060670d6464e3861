import { Info, TriangleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { toApiError } from "@/api/errors";
import { useErrorText } from "@/i18n/errors";
import { useFileNote } from "@/i18n/fileNote";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, InstallLink, ProgressBar } from "@/ui";
import { canRetry, reasonOf } from "@/api/fileErrors";
import { fileTypes } from "@/lib/textFiles";
import type { FileImport, NotedFile } from "./useFiles";
import type { Problem, Problems } from "./useProblems";

/** Which file could not be read, why, and what to do: a retry only where the result can differ. */
function FileProblem({
  problem,
  file,
  fileImport,
  chooseFile,
  close,
}: {
  problem: Problem;
  file: File;
  fileImport: FileImport;
  chooseFile(): void;
  close(): void;
}) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const general = useErrorText();
  const error = toApiError(problem.error);
  const { name } = file;
  const reason = reasonOf(error, name);
  const limit = typeof error.params.limit_bytes === "number" ? format.bytes(error.params.limit_bytes) : "50 MB";
  const { title, remedy } = reason
    ? {
        title: t(`problem.${reason}.why`, { limit }),
        remedy: t(`problem.${reason}.what`, { types: fileTypes.replaceAll(",", " ") }),
      }
    : general(error);
  return (
    <div className="k-error" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className="min-w-0 flex-1 break-words">
        <p className="font-medium">{t("files.failed", { name })}</p>
        <p className="text-ink-2">
          {title} {remedy}
        </p>
      </div>
      <span className="flex flex-none gap-1">
        <InstallLink code={error.code} params={error.params} />
        {canRetry(reason) ? (
          <Button size="small" onClick={() => fileImport.open([file])}>
            {t("common:retry")}
          </Button>
        ) : (
          <Button size="small" onClick={chooseFile}>
            {t("files.other")}
          </Button>
        )}
        <IconButton label={t("common:close")} icon={<X size={14} />} onClick={close} />
      </span>
    </div>
  );
}

/** The parts of an opened file that are not read aloud or were changed. */
function FileNotes({ file, close }: { file: NotedFile; close(): void }) {
  const { t } = useTranslation("studio");
  const textOf = useFileNote();
  return (
    <div className="k-error st-info" role="status">
      <Info size={16} aria-hidden />
      <div className="min-w-0 flex-1 break-words">
        <p className="font-medium">{t("files.notes", { name: file.name })}</p>
        <ul className="text-ink-2">
          {file.notes.map((note, i) => (
            <li key={i}>{textOf(note)}</li>
          ))}
        </ul>
      </div>
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={close} />
    </div>
  );
}

/** The file that is being read, the files that could not be opened, and what was left out of those that were. */
export function ImportStatus({
  fileImport,
  problems,
  chooseFile,
}: {
  fileImport: FileImport;
  problems: Problems;
  chooseFile(): void;
}) {
  const { t } = useTranslation("studio");
  if (fileImport.importing !== null)
    return (
      <div className="st-error">
        <ProgressBar
          label={t("files.reading", { name: fileImport.importing })}
          value={null}
          text={t("files.reading", { name: fileImport.importing })}
        />
      </div>
    );
  if (problems.list.length === 0 && fileImport.noted.length === 0) return null;
  return (
    <div className="st-error grid max-h-[40cqh] gap-2 overflow-y-auto">
      {problems.list.map((problem, i) => {
        const close = () => problems.dismiss(problem);
        const { file } = problem;
        if (file) return <FileProblem key={i} {...{ problem, file, fileImport, chooseFile, close }} />;
        return (
          <ErrorBox
            key={i}
            error={problem.error}
            action={<IconButton label={t("common:close")} icon={<X size={14} />} onClick={close} />}
          />
        );
      })}
      {fileImport.noted.map((file, i) => (
        <FileNotes key={i} file={file} close={() => fileImport.closeNotes(file)} />
      ))}
    </div>
  );
}
