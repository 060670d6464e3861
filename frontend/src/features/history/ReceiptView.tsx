import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import type { Generation, Receipt } from "@/api/types";
import { bareVoice } from "@/features/voices/library";
import { deviceName } from "@/i18n/deviceName";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";

const stages = ["load", "speak", "write"] as const;
const isStage = (name: string): name is (typeof stages)[number] => stages.some((stage) => stage === name);

type Level = NonNullable<Receipt["level"]>;

/** The resulting loudness, and what the limiter reduced or could not reach. */
function useLoudness(): (level: Level) => string | null {
  const { t } = useTranslation("history");
  const format = useFormat();
  const oneDigit = (value: number) => format.number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (level) => {
    if (level.lufs === null) return null;
    const loudness = t("receipt.lufs", { number: oneDigit(level.lufs) });
    if (level.shortfall_lu >= 0.5) return t("receipt.short", { loudness, number: oneDigit(level.shortfall_lu) });
    if (level.reduction_db >= 0.1) return t("receipt.reduced", { loudness, number: oneDigit(level.reduction_db) });
    return loudness;
  };
}

/** The receipt as one line: "Kokoro, af_heart, 12 s in 1.4 s on this machine, seed 42". */
function useSummary() {
  const { t } = useTranslation("history");
  const format = useFormat();
  const voiceName = useVoiceName();
  return ({ profile_name, duration, source }: Generation, receipt: Receipt, time: string) => {
    const voice = bareVoice(receipt.voice);
    const words = {
      engine: engineName(receipt.engine),
      voice: /^[a-z]\w+$/i.test(voice) ? voice : voiceName(profile_name), // mixtures and numbers say less than the name
      length: format.duration(duration),
      time,
    };
    return source === "hosted"
      ? t("receipt.summaryHosted", words)
      : t("receipt.summary", { ...words, seed: receipt.seed });
  };
}

/** How a generation was made, in plain words: one line, and on request enough to reproduce the audio. */
export function ReceiptView({ generation, receipt }: { generation: Generation; receipt: Receipt }) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const seconds = (value: number) =>
    t("receipt.seconds", { number: format.number(value, { maximumFractionDigits: value < 1 ? 2 : 1 }) });
  const loudness = useLoudness();
  const summary = useSummary();
  const heard = receipt.level ? loudness(receipt.level) : null;
  const spent = Object.entries(receipt.seconds);
  const total = spent.reduce((sum, [, value]) => sum + value, 0);
  const model = receipt.model_revision
    ? t("receipt.modelAt", { model: receipt.model_name, revision: receipt.model_revision.slice(0, 8) })
    : receipt.model_name;
  const hostedLines = (bill: NonNullable<Receipt["hosted"]>): [string, string][] => {
    const number = (value: number | null) => (value === null ? t("receipt.unknown") : format.number(value));
    return [
      [t("receipt.provider"), bill.provider],
      [t("receipt.hostedVoice"), bill.voice_name],
      [
        t("receipt.credits"),
        bill.refunded ? `${number(bill.credits)}. ${t("receipt.refunded")}` : number(bill.credits),
      ],
      [t("receipt.creditsLeft"), number(bill.credits_left)],
      [t("receipt.calls"), format.number(bill.calls)],
    ];
  };
  const lines: [string, string][] = [
    [t("receipt.created"), t("receipt.madeIn", { when: format.dateTime(generation.created_at), time: seconds(total) })],
    [t("engine"), engineName(receipt.engine)],
    [t("voice"), receipt.voice],
    [t("receipt.model"), model],
    [
      t("receipt.device"),
      generation.source === "hosted"
        ? t("marks.hosted")
        : t(receipt.workers > 1 ? "receipt.localSide" : "receipt.local", {
            device: deviceName(receipt.device),
            workers: receipt.workers,
            count: receipt.threads,
          }),
    ],
    ...(receipt.hosted ? hostedLines(receipt.hosted) : [[t("receipt.seed"), String(receipt.seed)] as [string, string]]),
    [t("receipt.speed"), `${format.number(receipt.speed)}×`],
    ...(heard === null ? [] : [[t("receipt.loudness"), heard] as [string, string]]),
    ...spent.map(([name, value]): [string, string] => [
      isStage(name) ? t(`receipt.stage.${name}`) : name,
      seconds(value),
    ]),
    ...(receipt.dropped_tags.length > 0
      ? [[t("receipt.dropped"), format.list(receipt.dropped_tags)] as [string, string]]
      : []),
    ...(receipt.shortened_pauses?.length
      ? [[t("receipt.shortened"), format.list(receipt.shortened_pauses)] as [string, string]]
      : []),
    [t("receipt.reproducible"), receipt.reproducible ? t("receipt.same") : t("receipt.other")],
  ];
  const changed = receipt.spoken_text !== "" && receipt.spoken_text !== generation.text;
  return (
    <section aria-label={t("receipt.title")}>
      <h3 className="mb-1 text-12 font-medium text-ink-2">{t("receipt.title")}</h3>
      <details className="group/receipt">
        <summary className="flex list-none items-start gap-1 rounded-s text-12 text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
          <span className="flex-1 wrap-anywhere">{summary(generation, receipt, seconds(total))}</span>
          <ChevronDown size={16} className="text-ink-3 group-open/receipt:rotate-180" aria-hidden />
        </summary>
        <dl className="mt-3 grid grid-cols-[minmax(80px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-12">
          {lines.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        {changed ? (
          <div className="mt-3 text-12">
            <h4 className="text-ink-3">{t("receipt.spoken")}</h4>
            <p className="mt-1 wrap-anywhere whitespace-pre-wrap text-ink-2">{receipt.spoken_text}</p>
          </div>
        ) : null}
      </details>
    </section>
  );
}
