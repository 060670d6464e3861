import * as v from "valibot";

const fieldError = v.object({
  loc: v.array(v.string()),
  msg: v.string(),
  type: v.string(),
  ctx: v.fallback(v.optional(v.record(v.string(), v.unknown())), undefined),
});
export type FieldError = v.InferOutput<typeof fieldError>;

const optional = <S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);
/** The body of a failed response; fields of another type are dropped. */
const problem = v.object({
  code: optional(v.string()),
  detail: optional(v.union([v.string(), v.array(fieldError)])),
  remedy: optional(v.string()),
  params: optional(v.record(v.string(), v.unknown())),
  generation_id: optional(v.string()),
});
type Problem = Partial<v.InferOutput<typeof problem>>;

/** A failed request: `message` is the server's English, screens choose their text by `code` and `params`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly remedy: string;
  readonly params: Record<string, unknown>;
  /** For a 422: which fields are invalid, and why. */
  readonly fields: FieldError[];
  readonly generationId: string | undefined;

  constructor(status: number, problem: Problem) {
    const fields = Array.isArray(problem.detail) ? problem.detail : [];
    const detail =
      typeof problem.detail === "string" ? problem.detail : fields.map((f) => `${f.loc.at(-1)}: ${f.msg}`).join("; ");
    super(detail || `Voicewright answered with status ${status}.`);
    this.name = "ApiError";
    this.status = status;
    this.code = problem.code ?? (fields.length > 0 ? "invalid" : "internal");
    this.detail = this.message;
    this.remedy = problem.remedy ?? "";
    this.params = problem.params ?? {};
    this.fields = fields;
    this.generationId = problem.generation_id;
  }

  /** The server's message for one field of the body. */
  field(name: string): FieldError | undefined {
    return this.fields.find((f) => f.loc.at(-1) === name);
  }
}

/** An error of the hosted service itself, as the forwarder passes it on. */
const hostedProblem = v.object({ error: v.string(), code: optional(v.string()) });

/** Returns the code of an error of the hosted service, as the local API names it. */
function hostedCode(status: number, code: string | undefined): string {
  return status === 401 ? "hosted_not_signed_in" : `hosted_${(code ?? String(status)).toLowerCase()}`;
}

/** Returns the error that a failed response describes. */
export async function problemOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const hosted = v.safeParse(hostedProblem, body);
  if (hosted.success) {
    const { error, code } = hosted.output;
    return new ApiError(response.status, { code: hostedCode(response.status, code), detail: error });
  }
  const parsed = v.safeParse(problem, body);
  return new ApiError(response.status, parsed.success ? parsed.output : {});
}

/** Returns the error for a server that does not respond. */
export function unreachable(cause: unknown): ApiError {
  const error = new ApiError(0, { code: "unreachable", detail: "Voicewright isn’t responding." });
  error.cause = cause;
  return error;
}

/** Converts the stored failure of a generation or model to an error that ErrorBox shows. */
export function failureOf(failure: {
  code: string;
  detail: string;
  remedy: string;
  params?: Record<string, unknown> | undefined;
}): ApiError {
  return new ApiError(0, failure);
}

/** Returns the model whose download a request was not to start, null for other errors. */
export function missingModel(error: unknown): string | null {
  const { code, params } = toApiError(error);
  return code === "model_not_downloaded" && typeof params.model_name === "string" ? params.model_name : null;
}

/** Reports whether the audio that a request needs is not stored. */
export const isAudioMissing = (error: unknown): boolean => toApiError(error).code === "audio_missing";

/** Reports whether what was requested does not exist, or not in that state: asking again does not help. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.code === "not_in_progress");

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Converts anything thrown to an ApiError, for places that show errors. The desktop window rejects with bodies of the API. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Error) return new ApiError(0, { code: "internal", detail: error.message });
  const parsed = v.safeParse(problem, error);
  if (parsed.success && parsed.output.code) return new ApiError(0, parsed.output);
  return new ApiError(0, { code: "internal", detail: String(error) });
}
