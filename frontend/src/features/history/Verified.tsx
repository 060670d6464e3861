import { Ear } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useModel } from "@/api/models";
import { useSettings } from "@/api/settings";
import type { Chunk, Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { asWritten } from "@/lib/markup";
import { Badge, Button, ErrorBox } from "@/ui";
import { useCheck } from "./useCheck";
import { understood, wordsDiff } from "./wordsDiff";

const shownFirst = 5;

/** What was heard of a passage, with the words that differ from its text. */
function Heard({ chunk, index }: { chunk: Chunk; index: number }) {
  const { t } = useTranslation("history");
  const format = useFormat();
  if (!chunk.verify) return null;
  const { wer, heard, repeated } = chunk.verify;
  return (
    <li className="py-1.5">
      <div className="flex justify-between gap-2 text-12 text-ink-3">
        <span>{t("verify.passage", { number: index + 1 })}</span>
        <span>{t("verify.part", { part: format.percent(understood(wer)) })}</span>
      </div>
      {heard === "" ? (
        <p className="text-12 text-ink-2">{t("verify.nothingHeard")}</p>
      ) : (
        <p dir="auto" className="text-12 wrap-anywhere text-ink-2">
          {wordsDiff(asWritten(chunk.text), heard).map(({ text, kind }, i) => (
            <span key={i}>
              {kind === "missing" ? (
                <del className="text-danger" title={t("verify.missing")}>
                  {text}
                </del>
              ) : kind === "extra" ? (
                <ins className="text-warn" title={t("verify.extra")}>
                  {text}
                </ins>
              ) : (
                text
              )}{" "}
            </span>
          ))}
        </p>
      )}
      {repeated.length > 0 ? (
        <p className="text-12 text-ink-3">{t("verify.repeated", { words: format.list(repeated) })}</p>
      ) : null}
    </li>
  );
}

/** How well a transcription model understood the audio: the share of words, and what it heard in each passage. */
export function Verified({ generation }: { generation: Generation }) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const { id, verify, verifying, verify_error: failure, chunks } = generation;
  const check = useCheck();
  const [all, setAll] = useState(false);
  const limit = Number(useSettings().data?.["speech.verify_limit"] ?? 0);
  const model = useModel(verify?.model_name)?.display_name ?? verify?.model_name ?? "";
  const heard = chunks.flatMap((chunk, index) => (chunk.verify ? [{ chunk, index }] : []));
  const different = heard.filter(({ chunk }) => (chunk.verify?.wer ?? 0) > 0);
  const shown = all ? heard : different.slice(0, shownFirst);
  const error = check.error ?? (failure ? failureOf(failure) : null);
  return (
    <section aria-label={t("verify.title")}>
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-12 font-medium text-ink-2">{t("verify.title")}</h3>
        <Button
          kind="quiet"
          size="small"
          className="-me-2.5"
          busy={check.isPending || verifying === true}
          icon={<Ear size={14} aria-hidden />}
          onClick={() => void check.check([id]).catch(() => undefined)}
        >
          {t(verifying ? "verify.running" : verify ? "verify.again" : "verify.check")}
        </Button>
      </div>
      {error ? <ErrorBox error={error} /> : null}
      {verify ? (
        <>
          <p className="mt-1 flex flex-wrap items-center gap-2">
            <Badge tone={verify.wer > limit ? "warn" : "ok"}>
              {t("verify.part", { part: format.percent(understood(verify.wer)) })}
            </Badge>
            <span className="text-12 text-ink-3">{t("verify.by", { model, when: format.dateTime(verify.at) })}</span>
          </p>
          {shown.length > 0 ? (
            <ol className="mt-1">
              {shown.map(({ chunk, index }) => (
                <Heard key={index} chunk={chunk} index={index} />
              ))}
            </ol>
          ) : (
            <p className="mt-1 text-12 text-ink-3">{t("verify.allSame")}</p>
          )}
          {!all && heard.length > shown.length ? (
            <Button kind="quiet" size="small" className="-ms-2.5" onClick={() => setAll(true)}>
              {t("verify.showHeard", { count: heard.length })}
            </Button>
          ) : null}
        </>
      ) : (
        <p className="mt-1 text-12 text-ink-3">{t("verify.hint")}</p>
      )}
    </section>
  );
}
