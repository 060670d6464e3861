import { Dices, Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { IconButton, Slider, TextField } from "@/ui";
import type { Choices, TextDocument } from "../drafts/textDocument";

export const maxSeed = 2_147_483_647;
const newSeed = () => Math.floor(Math.random() * (maxSeed + 1));

/** The range of the program, in small steps near the usual pace. */
const speeds = [
  ...Array.from({ length: 36 }, (_, i) => (5 + i) / 20),
  ...Array.from({ length: 10 }, (_, i) => (11 + i) / 5),
];

interface Props {
  document: TextDocument;
  voiceSpeed: number;
  hasSeed: boolean;
  /** The voice has a model whose speed cannot be changed. */
  isSpeedFixed: boolean;
  lastSeed: number | undefined;
  change(part: Partial<Choices>): void;
}

/** A number that is edited as text; null while the field is empty. */
function readSeed(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 && value <= maxSeed ? value : undefined;
}

/** A locked seed makes the audio reproducible; unlocked, each generation gets its own. */
function Seed({ document, lastSeed, change }: Omit<Props, "voiceSpeed" | "hasSeed" | "isSpeedFixed">) {
  const { t } = useTranslation("studio");
  const [wrong, setWrong] = useState<string | null>(null);
  const locked = document.seed !== null;
  function typed(text: string) {
    const seed = readSeed(text);
    setWrong(seed === undefined ? text : null);
    if (seed !== undefined) change({ seed });
  }
  return (
    <div className="mt-4 flex items-start gap-2">
      <TextField
        className="min-w-0 flex-1"
        label={t("seed.label")}
        inputMode="numeric"
        value={wrong ?? (document.seed === null ? "" : String(document.seed))}
        placeholder={lastSeed === undefined ? t("seed.each") : t("seed.last", { seed: lastSeed })}
        onChange={typed}
        hint={locked ? t("seed.kept") : t("seed.eachHint")}
        {...(wrong === null ? {} : { error: t("seed.wrong") })}
        end={
          <IconButton
            label={t(locked ? "seed.unlock" : "seed.lock")}
            icon={locked ? <Lock size={14} /> : <LockOpen size={14} />}
            aria-pressed={locked}
            onClick={() => {
              setWrong(null);
              change({ seed: locked ? null : (lastSeed ?? newSeed()) });
            }}
          />
        }
      />
      <span className="mt-6">
        <IconButton
          kind="plain"
          size="normal"
          label={t("seed.new")}
          icon={<Dices size={16} />}
          onClick={() => {
            setWrong(null);
            change({ seed: newSeed() });
          }}
        />
      </span>
    </div>
  );
}

/** The full range on one slider, with larger steps far from the usual pace. */
function Speed({ speed, isFixed, change }: { speed: number; isFixed: boolean; change(speed: number): void }) {
  const { t } = useTranslation(["studio", "hosted"]);
  const format = useFormat();
  const distances = speeds.map((one) => Math.abs(one - speed));
  const text = `${format.number(speed, { minimumFractionDigits: 1, maximumFractionDigits: 2 })}×`;
  const slider = (
    <Slider
      disabled={isFixed}
      label={isFixed ? `${t("speech.speed")}. ${t("hosted:speedFixed")}` : t("speech.speed")}
      min={0}
      max={speeds.length - 1}
      step={1}
      value={distances.indexOf(Math.min(...distances))}
      text={text}
      onChange={(at) => change(speeds[at] ?? 1)}
    />
  );
  return isFixed ? <div title={t("hosted:speedFixed")}>{slider}</div> : slider;
}

export function SpeechSection({ document, voiceSpeed, hasSeed, isSpeedFixed, lastSeed, change }: Props) {
  const { t } = useTranslation("studio");
  return (
    <section aria-label={t("speech.title")}>
      <Speed
        speed={isSpeedFixed ? 1 : (document.speed ?? voiceSpeed)}
        isFixed={isSpeedFixed}
        change={(speed) => change({ speed })}
      />
      {hasSeed ? <Seed document={document} lastSeed={lastSeed} change={change} /> : null}
    </section>
  );
}
