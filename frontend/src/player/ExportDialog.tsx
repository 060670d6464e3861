import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { audioFormats } from "@/api/formats";
import { useSystem } from "@/api/system";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, InstallLink, Select } from "@/ui";
import {
  bitrates,
  closeExportQuestion,
  isLossy,
  loudnessTargets,
  requestOf,
  setSoundChoice,
  useExportQuestion,
  useSoundChoice,
  type SoundChoice,
} from "./soundExport";

/** The options of an export, for all screens. */
export function ExportDialog() {
  const question = useExportQuestion();
  const { t } = useTranslation();
  const sound = useSoundChoice();
  return (
    <Dialog
      open={question !== null}
      onOpenChange={(open) => open || closeExportQuestion()}
      title={t("export.dialog")}
      width={380}
    >
      {question ? (
        <Options
          name={question.name}
          initial={sound}
          onExport={(chosen) => {
            setSoundChoice(chosen);
            closeExportQuestion();
            question.save(requestOf(chosen));
          }}
        />
      ) : null}
    </Dialog>
  );
}

interface OptionsProps {
  /** Of what is exported. */
  name: string;
  initial: SoundChoice;
  onExport(sound: SoundChoice): void;
}

function Options({ name, initial, onExport }: OptionsProps) {
  const { t } = useTranslation();
  const number = useFormat().number;
  const system = useSystem().data;
  const [sound, setSound] = useState(initial);
  const can = (format: string) => system?.encoders.includes(format) ?? true;
  const unavailable = audioFormats.filter((format) => !can(format));
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (can(sound.format)) onExport(sound);
      }}
    >
      <p className="font-medium wrap-anywhere">{name}</p>
      <Select
        label={t("export.format")}
        value={sound.format}
        choices={audioFormats.map((format) => ({ value: format, label: format.toUpperCase(), disabled: !can(format) }))}
        onChange={(format) => setSound({ ...sound, format })}
      />
      {unavailable.length > 0 ? (
        <div className="flex flex-wrap items-center gap-2">
          <p className="k-hint min-w-40 flex-1" role={can(sound.format) ? undefined : "alert"}>
            {t("export.needsFfmpeg", { formats: unavailable.map((format) => format.toUpperCase()).join(", ") })}
          </p>
          <InstallLink code="runtime_missing" params={{ program: "ffmpeg" }} />
        </div>
      ) : null}
      {isLossy(sound) ? (
        <Select
          label={t("export.bitrate")}
          value={String(sound.bitrate)}
          choices={bitrates.map((rate) => ({
            value: String(rate),
            label: rate === 0 ? t("export.usualQuality") : t("export.kbits", { rate: number(rate) }),
          }))}
          onChange={(rate) => setSound({ ...sound, bitrate: bitrates.find((r) => String(r) === rate) ?? 0 })}
        />
      ) : null}
      <Select
        label={t("export.loudness")}
        value={String(sound.loudness)}
        hint={sound.loudness === 0 ? undefined : t("export.peakHint")}
        choices={loudnessTargets.map((target) => ({
          value: String(target),
          label: target === 0 ? t("export.asMade") : t(`export.lufs.${target}`, { lufs: number(target) }),
        }))}
        onChange={(target) => setSound({ ...sound, loudness: loudnessTargets.find((l) => String(l) === target) ?? 0 })}
      />
      <Button
        type="submit"
        kind="primary"
        className="justify-self-end"
        disabled={!can(sound.format)}
        icon={<Download size={16} aria-hidden />}
      >
        {t("export.as", { format: sound.format.toUpperCase() })}
      </Button>
    </form>
  );
}
