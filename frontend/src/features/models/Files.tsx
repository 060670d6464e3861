import { useTranslation } from "react-i18next";
import { useModelDetail } from "@/api/models";
import type { Model } from "@/api/types";
import { wholeSize } from "@/features/downloads";
import { useFormat } from "@/i18n/format";

/** The files of a model, each with its size and the start of its hash. */
export function Files({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const files = useModelDetail(model.model_name).data?.files ?? [];
  if (files.length === 0) return null;
  const several = new Set(files.map((file) => file.repo_id)).size > 1;
  return (
    <section aria-label={t("files")}>
      <h3 className="mb-1 font-semibold">
        {t("files")} <span className="font-normal text-ink-3">{format.number(files.length)}</span>
      </h3>
      <ul className="grid gap-1">
        {files.map((file) => (
          <li key={`${file.repo_id}/${file.path}`} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <bdi className="min-w-0 break-all">
              {file.path}
              {several ? <span className="block text-12 text-ink-3">{file.repo_id}</span> : null}
            </bdi>
            <span className="text-12 whitespace-nowrap text-ink-3">
              {file.bytes > 0 ? wholeSize(format, file.bytes) : null}
              {file.sha256 ? (
                <bdi className="ms-2 font-mono" title={`SHA-256 ${file.sha256}`}>
                  {file.sha256.slice(0, 8)}
                </bdi>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
