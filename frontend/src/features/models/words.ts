import { useTranslation } from "react-i18next";
import type { Wait } from "@/features/downloads";
import { useDownloadPace, useOfSizes } from "@/features/downloads";
import { engineName } from "@/api/models";
import { type ApiError } from "@/api/errors";
import type { Model, SystemInfo } from "@/api/types";
import { useErrorText, type ErrorWords } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import type { LiveDownload } from "@/api/live";
import { primary } from "./filter";
import { isImported, type Phase } from "./phase";
import type { Bytes } from "./progress";

/** Errors of a download whose texts do not apply to files imported from disk. */
const ofDownloads: readonly string[] = ["checksum_mismatch", "model_corrupt"];

/** Returns the text of a model's error, with the sizes in it. */
export function useModelErrorText(): (error: ApiError, from?: "hub" | "disk") => ErrorWords {
  const { t } = useTranslation("models");
  const general = useErrorText();
  const ofModels = useErrorText(["models:errors"]);
  return (error, from = "hub") => {
    const { code, remedy } = error;
    if (from === "disk" && ofDownloads.includes(code)) return general(error);
    const params = { host: t("theHub"), ...error.params };
    return ofModels({ code, remedy, params, detail: error.fields[0]?.msg ?? error.detail });
  };
}

/** Returns what a model is good for in a few words: a text of the page where one exists, else the server's. */
export function useNote(): (model: Model) => string {
  const { t, i18n } = useTranslation("models");
  return (model) => {
    if (isImported(model)) return t(model.family === "speech" ? "notes.imported" : "notes.importedTranscription");
    const key = model.engine === "piper" ? `piper-${model.variant}` : model.model_name;
    return i18n.exists(`models:notes.${key}`) ? t(`notes.${key}`) : model.note;
  };
}

export function useLanguages(): (model: Model) => string {
  const { t } = useTranslation("models");
  const format = useFormat();
  return ({ languages }) => {
    if (languages.length === 0) return t("anyLanguage");
    return languages.length > 2
      ? t("languages", { count: new Set(languages.map(primary)).size })
      : format.list(languages.map(format.language));
  };
}

/** Returns all words by which a search finds a model. */
export function useSearchWords(): (model: Model) => string {
  const note = useNote();
  const format = useFormat();
  return (model) =>
    [model.display_name, engineName(model.engine), note(model), ...model.languages.map(format.language)].join(" ");
}

export const memoryOf = (model: Model): number | null => model.memory_mb.measured ?? model.memory_mb.estimate;

/** Returns the reason for the colour of a model's mark. */
export function useFitsReason(system: SystemInfo | undefined): (model: Model, place?: "mark" | "fact") => string {
  const { t } = useTranslation("models");
  const format = useFormat();
  return (model, place = "mark") => {
    const need = memoryOf(model);
    if (model.fits === "unknown" || need === null) return t("fits.unknown");
    const params = {
      need: format.megabytes(need),
      free: format.bytes(system?.memory?.free ?? 0),
      total: format.bytes(system?.memory?.total ?? 0),
    };
    if (!system?.memory) return t("fits.short", params);
    return t(place === "fact" ? `fitsFact.${model.fits}` : `fits.${model.fits}`, params);
  };
}

/** Returns the drawback of a model, if it has one. */
export function useWarning(): (model: Model) => string {
  const { t, i18n } = useTranslation("models");
  return ({ model_name }) => (i18n.exists(`models:warnings.${model_name}`) ? t(`warnings.${model_name}`) : "");
}

/** Returns a warning if a model does not fit into memory, or barely fits. */
export function useFitsWarning(): (model: Model) => string {
  const { t } = useTranslation("models");
  const format = useFormat();
  return (model) => {
    const memory = memoryOf(model);
    if (memory === null || (model.fits !== "no" && model.fits !== "tight")) return "";
    return t(model.fits === "no" ? "needsMemory" : "tightMemory", { size: format.megabytes(memory) });
  };
}

/** "Kept 4.1 of 25 MB.": the partial file that an ended download left. */
export function usePartialSizeText(): (model: Model) => string {
  const { t } = useTranslation("models");
  const sizes = useOfSizes();
  return (model) =>
    model.partial_mb > 0 ? t("saved", { part: sizes(model.partial_mb * 1_000_000, model.size_mb * 1_000_000) }) : "";
}

/** Returns the state of a model in words, and a second line if there is more to say. */
export function useStateText(): (
  model: Model,
  phase: Phase,
  bytes: Bytes | null,
  live: LiveDownload | undefined,
  wait: Wait | null,
) => { text: string; more: string } {
  const { t } = useTranslation("models");
  const format = useFormat();
  const pace = useDownloadPace();
  const sizes = useOfSizes();
  const speed = useSpeed();
  return (model, phase, bytes, live, wait) => {
    const memory = memoryOf(model);
    const part = sizes(bytes?.current ?? model.partial_mb * 1_000_000, bytes?.total ?? model.size_mb * 1_000_000);
    switch (phase) {
      case "downloading":
        return { text: bytes ? progress(bytes, live, wait) : t("state.downloading"), more: "" };
      case "preparing":
        return { text: wait ? pace(live, wait).join("") : t("state.preparing"), more: "" };
      case "paused":
        return { text: t("pausedAt", { part }), more: "" };
      case "stopped":
        return { text: t("stoppedAt", { part }), more: "" };
      case "ready":
        return { text: t("state.ready"), more: speed(model) };
      case "loaded":
        return {
          text: memory === null ? t("state.loaded") : t("loadedWith", { size: format.megabytes(memory) }),
          more: leaves(model),
        };
      default:
        return { text: t(`state.${phase}`), more: "" };
    }
  };
  /** "43 % · 12 MB/s · 20 s", or what the download waits for. */
  function progress(bytes: Bytes, live: LiveDownload | undefined, wait: Wait | null): string {
    const part = format.percent(bytes.total > 0 ? bytes.current / bytes.total : 0);
    return (wait ? pace(live, wait) : [part, ...pace(live, null)]).join(" · ");
  }
  function leaves(model: Model): string {
    return model.idle_unload_at ? t("unloadsAt", { time: format.time(model.idle_unload_at) }) : speed(model);
  }
}

/** "11 × faster than speech", from the seconds of computation per second of audio. */
export function useSpeed(): (model: Model) => string {
  const { t } = useTranslation("models");
  const format = useFormat();
  return ({ rtf }) => {
    if (rtf === null || rtf <= 0) return "";
    const times = (value: number) => format.number(value, { maximumFractionDigits: value < 10 ? 1 : 0 });
    return rtf <= 1 ? t("faster", { times: times(1 / rtf) }) : t("slower", { times: times(rtf) });
  };
}
