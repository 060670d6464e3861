import { useTranslation } from "react-i18next";
import type { KnownSpeaker } from "@/api/types";
import { useFormat } from "@/i18n/format";

/** The longest name of a speaker, in characters. */
export const maxName = 100;

/** Reports whether two names are those of one known speaker, as the server compares them. */
export const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Reports whether a name is that of a person, as the server sees it: not "Speaker 1". */
export const isName = (name: string): boolean => name.trim() !== "" && !/^Speaker [0-9]+$/.test(name.trim());

/** Returns how much speech a voice print was made of. */
export function useSpeech(): (speaker: Pick<KnownSpeaker, "seconds" | "recordings">) => string {
  const { t } = useTranslation("known-speakers");
  const format = useFormat();
  return ({ seconds, recordings }) =>
    t("speech", { time: format.duration(Math.round(seconds)), count: recordings, number: format.number(recordings) });
}
