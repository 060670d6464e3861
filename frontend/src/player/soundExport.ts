import type { TFunction } from "i18next";
import { createElement as h } from "react";
import { Download, SlidersHorizontal } from "lucide-react";
import * as v from "valibot";
import { audioFormats, subtitleFormats } from "@/api/formats";
import type { SaveFormat, SaveRequest } from "@/api/save";
import { createStore, useStore } from "@/lib/store";
import { storedValue } from "@/lib/storedValue";
import type { MenuGroups, MenuItem } from "@/ui";

/** The loudness targets of an export in LUFS; 0 is as it was made. */
export const loudnessTargets = [0, -14, -16, -19, -23] as const;
/** The bit rates of lossy formats in kbit/s; 0 is the usual quality. */
export const bitrates = [0, 64, 96, 128, 192, 256] as const;

const first = { format: "wav", bitrate: 0, loudness: 0 } as const;
const schema = v.object({
  format: v.fallback(v.picklist(audioFormats), first.format),
  bitrate: v.fallback(v.picklist(bitrates), first.bitrate),
  loudness: v.fallback(v.picklist(loudnessTargets), first.loudness),
});

/** How audio is exported. */
export type SoundChoice = v.InferOutput<typeof schema>;

const stored = storedValue("voicewright.export", schema, first);
const choice = createStore<SoundChoice>(stored.read());

export const useSoundChoice = (): SoundChoice => useStore(choice);

export function setSoundChoice(next: SoundChoice): void {
  choice.set(next);
  stored.write(next);
}

export const isLossy = ({ format }: Pick<SoundChoice, "format">): boolean => format !== "wav" && format !== "flac";

/** Returns what is requested for a choice. */
export const requestOf = (sound: SoundChoice): SaveRequest => ({
  format: sound.format,
  ...(sound.loudness !== 0 ? { loudness: sound.loudness } : {}),
  ...(sound.bitrate !== 0 && isLossy(sound) ? { bitrate: sound.bitrate } : {}),
});

/** What an export saves. */
export interface Exported {
  /** The name of the audio, or how much it is. */
  name: string;
  save(request: SaveRequest): void;
}

const question = createStore<Exported | null>(null);

/** The export whose options the dialog asks for; null while it is closed. */
export const useExportQuestion = () => useStore(question);
export const closeExportQuestion = (): void => question.set(null);

/** Opens the dialog with the options of an export, which then saves. */
export const askExport = (exported: Exported): void => question.set(exported);

/** Exports with the remembered options; where this machine cannot write that format, the dialog opens and says why. */
export function exportSound(exported: Exported, encoders: readonly string[] | undefined): void {
  const sound = choice.get();
  if (encoders && !encoders.includes(sound.format)) askExport(exported);
  else exported.save(requestOf(sound));
}

const icon = (kind: typeof Download) => h(kind, { size: 16, "aria-hidden": true });

/** The menu items beside the button that exports audio: its options, and texts. */
export function exportGroups(
  t: TFunction<"common">,
  exported: Exported,
  texts: readonly SaveFormat[] = [...subtitleFormats, "txt"],
): MenuGroups {
  return [
    [{ label: t("common:export.options"), icon: icon(SlidersHorizontal), onSelect: () => askExport(exported) }],
    texts.map((format) => ({
      label: t("common:export.saveAs", { format: format.toUpperCase() }),
      icon: icon(Download),
      onSelect: () => exported.save({ format }),
    })),
  ];
}

/** The item that exports audio with the remembered options. */
export const exportItem = (
  t: TFunction<"common">,
  sound: SoundChoice,
  exported: Exported,
  encoders: readonly string[] | undefined,
): MenuItem => ({
  label: t("common:export.as", { format: sound.format.toUpperCase() }),
  icon: icon(Download),
  onSelect: () => exportSound(exported, encoders),
});
