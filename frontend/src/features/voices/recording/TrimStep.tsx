import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { toggleClip, useClipError, useClipState } from "@/player";
import { Button, ErrorBox, TextField } from "@/ui";
import { Numbers } from "../samples/Numbers";
import { Warnings } from "../samples/Warnings";
import { RejectedSound, type SoundActions } from "./RejectedSound";
import { partId } from "./TrimWave";
import type { SoundState } from "./useSound";

/** Plays the part of the recording that is used. */
export function PlayPart({ sound }: { sound: SoundState }) {
  const { t } = useTranslation("samples");
  const state = useClipState(partId);
  const error = useClipError();
  const { part, load } = sound;
  if (!part) return null;
  return (
    <>
      <Button
        icon={state ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        onClick={() => toggleClip({ id: partId, load, part })}
      >
        {t(state ? "trim.stop" : "trim.play")}
      </Button>
      {error ? (
        <div className="basis-full">
          <ErrorBox error={error} />
        </div>
      ) : null}
    </>
  );
}

/** The start or the end as a number of seconds, which moves the handle on Enter or when the field is left. */
function SecondsField({ end, sound }: { end: "from" | "to"; sound: SoundState }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const [text, setText] = useState<string | null>(null);
  const saved = format.number(sound.part?.[end] ?? 0, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    useGrouping: false,
  });
  function save(): void {
    const seconds = Number((text ?? "").replace(",", "."));
    if (text !== null && text.trim() !== "" && Number.isFinite(seconds)) sound.move(end, seconds);
    setText(null);
  }
  return (
    <TextField
      className="w-24"
      label={t(`field.${end}`)}
      inputMode="decimal"
      value={text ?? saved}
      onChange={setText}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || text === null) return;
        event.preventDefault(); // the first Enter moves the handle, the next one goes on
        save();
      }}
    />
  );
}

/** The second step: the part of the recording that is used, and what it is like. */
export function TrimStep({ sound, ...actions }: SoundActions & { sound: SoundState }) {
  const { t } = useTranslation("samples");
  const { check, error, isChecking } = sound;
  if (!check) return null;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <SecondsField end="from" sound={sound} />
        <SecondsField end="to" sound={sound} />
        <PlayPart sound={sound} />
      </div>
      <p className="text-12 text-ink-2">{t("trim.hint")}</p>
      {error ? (
        <RejectedSound sound={sound} {...actions} />
      ) : (
        <div className="grid gap-4" aria-busy={isChecking} aria-live="polite">
          <Numbers sample={check} />
          {check.warnings.length === 0 ? <p>{t("trim.good")}</p> : <Warnings warnings={check.warnings} />}
        </div>
      )}
    </div>
  );
}
