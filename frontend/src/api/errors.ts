import type { FieldError } from "./types";

interface Problem {
  code?: string;
  detail?: string | FieldError[];
  remedy?: string;
  params?: Record<string, unknown>;
  generation_id?: string;
}

/** What the API, or the way to it, refused. `message` is the server's English; screens word it by `code`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly remedy: string;
  readonly params: Record<string, unknown>;
  /** Of a 422: which fields are not acceptable, and why. */
  readonly fields: FieldError[];
  readonly generationId: string | undefined;

  constructor(status: number, problem: Problem) {
    const fields = Array.isArray(problem.detail) ? problem.detail : [];
    const detail =
      typeof problem.detail === "string" ? problem.detail : fields.map((f) => `${f.loc.at(-1)}: ${f.msg}`).join("; ");
    super(detail || `The program answered with status ${status}.`);
    this.name = "ApiError";
    this.status = status;
    this.code = problem.code ?? (fields.length > 0 ? "invalid" : "internal");
    this.detail = this.message;
    this.remedy = problem.remedy ?? "";
    this.params = problem.params ?? {};
    this.fields = fields;
    this.generationId = problem.generation_id;
  }

  /** The message for one field of the body, as the server says it. */
  field(name: string): FieldError | undefined {
    return this.fields.find((f) => f.loc.at(-1) === name);
  }
}

/** The program does not answer at all. */
export function unreachable(cause: unknown): ApiError {
  const error = new ApiError(0, { code: "unreachable", detail: "The program does not answer." });
  error.cause = cause;
  return error;
}

/** The stored failure of a generation or model as an error that ErrorBox shows. */
export function failureOf(failure: {
  code: string;
  detail: string;
  remedy: string;
  params?: Record<string, unknown> | undefined;
}): ApiError {
  return new ApiError(0, failure);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
}

/** Any thrown thing as an ApiError, for places that show errors. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error) && isProblem(error)) return new ApiError(0, error); // the window's bridge rejects with what the API says
  return new ApiError(0, { code: "internal", detail: error instanceof Error ? error.message : String(error) });
}
