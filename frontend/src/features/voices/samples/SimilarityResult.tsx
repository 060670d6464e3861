import { useTranslation } from "react-i18next";
import type { Similarity } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Warnings } from "./Warnings";

const nearLevel = 3; // dB that are hardly heard
const nearPace = 0.1; // a tenth faster or slower is hardly heard
const nearPitch = 2; // semitones

const nearVoice = 0.5; // cosine from which on it is taken for the same voice; unverified, as the server's limit of another one

const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Returns by how much a value differs: null where one of both is unknown. */
const apart = (a: number | null, b: number | null, by: (a: number, b: number) => number): number | null =>
  a === null || b === null || a <= -100 || b === 0 ? null : by(a, b);

/** What a second listen found: the words that were understood, and loudness, pace and pitch beside the sample. */
export function SimilarityResult({ result }: { result: Similarity }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const all = wordsOf(result.text);
  const heard = Math.max(0, Math.round(all * (1 - result.wer)));
  const level = apart(result.level_lufs, result.sample_level_lufs, (a, b) => a - b);
  const pace = apart(result.words_per_minute, result.sample_words_per_minute, (a, b) => a / b - 1);
  const pitch = apart(result.pitch_hz, result.sample_pitch_hz, (a, b) => 12 * Math.log2(a / b));
  /** Describes a difference: "as in the sample", or how far above or below it. */
  const compare = (name: string, value: number | null, near: number, amount: (size: number) => string) =>
    value === null
      ? null
      : Math.abs(value) <= near
        ? t("similarity.same")
        : t(`similarity.${name}.${value > 0 ? "more" : "less"}`, { amount: amount(Math.abs(value)) });
  const whole = (size: number) => format.number(size, { maximumFractionDigits: 0 });
  const voice =
    result.cosine === null
      ? null
      : result.cosine >= nearVoice
        ? t("similarity.same")
        : t(
            result.warnings.some(({ code }) => code === "voice")
              ? "similarity.voice.other"
              : "similarity.voice.between",
          );
  const rows: [string, string | null][] = [
    [t("similarity.words"), t("similarity.heard", { heard, count: all })],
    [t("similarity.level.name"), compare("level", level, nearLevel, whole)],
    [t("similarity.pace.name"), compare("pace", pace, nearPace, format.percent)],
    [t("similarity.pitch.name"), compare("pitch", pitch, nearPitch, whole)],
    [t("similarity.voice.name"), voice],
  ];
  return (
    <div className="grid gap-2" role="status">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {rows
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="min-w-0 text-ink wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
      {heard < all ? (
        <p className="text-12 text-ink-2" dir="auto">
          {t("similarity.transcript", { heard: result.heard })}
        </p>
      ) : null}
      <Warnings warnings={result.warnings} />
    </div>
  );
}
