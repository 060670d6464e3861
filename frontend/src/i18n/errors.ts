import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { deviceName } from "./deviceName";
import { useFormat, type Format } from "./format";
import { useModelName } from "./modelName";

const problem = v.object({
  code: v.string(),
  detail: v.fallback(v.string(), ""),
  remedy: v.fallback(v.string(), ""),
  params: v.fallback(v.record(v.string(), v.unknown()), {}),
});
/** An error with a code, as the API and the desktop window report it; `detail` and `remedy` are English. */
export type Problem = v.InferOutput<typeof problem>;

/** Converts anything thrown to an error with a code. */
export function toProblem(error: unknown): Problem {
  const parsed = v.safeParse(problem, error);
  if (parsed.success) return parsed.output;
  return { code: "internal", detail: error instanceof Error ? error.message : String(error), remedy: "", params: {} };
}

export interface ErrorWords {
  title: string;
  remedy: string;
}

/** The actions that may resolve an error. A screen offers the first one that it supports. */
export type ErrorAction =
  "downloadModel" | "openModel" | "openModels" | "freeSpace" | "unloadModel" | "openAccount" | "chooseVoice" | "retry";

const actions: Readonly<Record<string, readonly ErrorAction[]>> = {
  model_not_downloaded: ["downloadModel", "openModel"],
  model_corrupt: ["downloadModel", "openModel"],
  checksum_mismatch: ["downloadModel", "openModel"],
  model_unknown: ["openModel"],
  license_not_accepted: ["openModel"],
  hub_gated: ["openModels"],
  not_permitted: ["openModels"],
  insufficient_disk: ["freeSpace", "openModels"],
  out_of_memory: ["unloadModel", "openModels"],
  profile_not_found: ["chooseVoice"],
  engine_mismatch: ["chooseVoice"],
  language_not_supported: ["chooseVoice"],
  sample_not_found: ["chooseVoice"],
  hosted_not_configured: ["openAccount"],
  hosted_not_signed_in: ["openAccount"],
  secret_not_found: ["openAccount"],
  secrets_unavailable: ["openAccount", "retry"],
  hosted_insufficient_credits: ["openAccount", "retry"],
  hosted_paid_access_required: ["openAccount"],
  hosted_403: ["openAccount"],
  hosted_404: ["openAccount"],
  hosted_unreachable: ["retry"],
  hosted_answer_lost: ["openAccount", "retry"],
  hosted_bad_answer: ["openAccount", "retry"],
  hosted_voice_not_found: ["chooseVoice"],
  hosted_400: ["chooseVoice"],
  hosted_text_too_long: [],
  hosted_413: [],
  nothing_to_speak: [],
  invalid: [],
  runtime_missing: [],
  unsupported_cpu: [],
  unsupported_gpu: [],
  cancelled: [],
};

/** Errors of the hosted service without a code of their own, which are those of another one. */
const sameAs: Readonly<Record<string, string>> = {
  hosted_402: "hosted_insufficient_credits",
  hosted_409: "hosted_duplicate_request",
  hosted_429: "hosted_rate_limited",
};

/** Returns the code whose texts and actions an error has: other statuses of the hosted service share theirs. */
function wordedCode(code: string, isKnown: (code: string) => boolean): string {
  const own = sameAs[code] ?? code;
  return isKnown(own) ? own : own.replace(/^hosted_([45])\d\d$/, "hosted_$1xx");
}

/** The actions by error code: "retry" unless another one is known, none where only a change of the input helps. */
export const actionsFor = (code: string): readonly ErrorAction[] =>
  actions[wordedCode(code, (known) => known in actions)] ?? ["retry"];

/** Params without which the texts of a screen are less specific than the general ones. */
const required: Readonly<Record<string, readonly string[]>> = { insufficient_disk: ["needed", "free"] };

/** Errors of paid calls: they have the credits before and after the call where these are known. */
const paidCalls: readonly string[] = ["hosted_answer_lost", "hosted_bad_answer"];

/** Errors that name the missing model where they are about one. */
const needsModel: readonly string[] = ["offline", "model_not_downloaded"];

/** Returns the variant of a text: the reason that the server names, or whether a lost answer was charged. */
function variantOf({ code, params }: Problem): string | undefined {
  if (typeof params.reason === "string") return params.reason;
  if (code === "offline" && params.hosted === true) return "hosted";
  if (code === "runtime_missing" && typeof params.program === "string") return params.program;
  const size = params.size_mb;
  if (needsModel.includes(code) && params.display_name && typeof size === "number" && size > 0) return "model";
  const { credits_before: before, credits_after: after } = params;
  if (paidCalls.includes(code) && typeof before === "number" && typeof after === "number")
    return after < before ? "charged" : "free";
  return undefined;
}

const number = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Returns the params of an error for the general texts: memory in its unit, and devices by their names. */
function generalParams({ params }: Problem, format: Format): Record<string, unknown> {
  return {
    ...params,
    ...(typeof params.device === "string" ? { device: deviceName(params.device) } : {}),
    neededMemory: format.megabytes(number(params.needed_mb)),
    freeMemory: format.megabytes(number(params.free_mb)),
  };
}

/** Returns the params of an error for the texts of a screen. */
function screenParams(problem: Problem, format: Format): Record<string, unknown> {
  const { detail, params } = problem;
  return {
    why: detail,
    ...generalParams(problem, format),
    needed: format.bytes(number(params.needed)),
    free: format.bytes(number(params.free)),
    wait: format.duration(number(params.retry_after)),
  };
}

const general = "errors:";

/**
 * Returns the message and the remedy of an error, by its code and params. `places` are text keys of a screen, such
 * as "models:errors", looked up first and in this order. The server's English is used for codes without texts.
 */
export function useErrorText(places: readonly string[] = []): (error: Problem) => ErrorWords {
  const { t, i18n } = useTranslation(["errors", ...places.map((place) => place.split(":")[0] ?? "")]);
  const format = useFormat();
  const nameOf = useModelName();
  /** The params with the name of the model in the user's language. */
  const named = ({ params }: Problem): Problem["params"] =>
    typeof params.model_name === "string" && typeof params.display_name === "string"
      ? { ...params, display_name: nameOf(params.model_name, params.display_name) }
      : params;
  return (problem) => {
    const error = { ...problem, params: named(problem) };
    const isComplete = (required[error.code] ?? []).every((name) => error.params[name] !== undefined);
    const keys = [
      ...(isComplete ? places.map((place) => `${place}.${error.code}`) : []),
      general + wordedCode(error.code, (code) => i18n.exists(general + code)),
    ];
    const context = variantOf(error);
    const text = (part: "title" | "remedy"): string => {
      const key = keys.find((one) => i18n.exists(`${one}.${part}`));
      const values = key?.startsWith(general) ? generalParams(error, format) : screenParams(error, format);
      return key ? t(`${key}.${part}`, context ? { ...values, context } : values) : "";
    };
    return { title: text("title") || error.detail, remedy: text("remedy") || error.remedy };
  };
}
