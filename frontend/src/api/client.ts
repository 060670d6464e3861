import createClient, { type Middleware } from "openapi-fetch";
import { isAbort, problemOf, toApiError, unreachable } from "./errors";
import type { ForwardedPaths } from "./forwarded";
import type { paths } from "./schema";
import { session } from "./session";

/** Returns the full address of a path of the API, for links and <audio>. */
export function apiUrl(path: string): string {
  return session.get().base + path;
}

/** Sends requests to the server of the session, which is known only after the desktop window has named it. */
class ApiRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === "string" ? new URL(apiUrl(input), location.href) : input, init);
  }
}

function querySerializer(query: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") pairs.set(name, String(value));
  }
  return pairs.toString();
}

const authorize: Middleware = {
  onRequest({ request }) {
    const { token } = session.get();
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
  },
};

/** Turns every failure but an abort into an ApiError. The 401 of a hosted sign-in says nothing about the token of this session. */
const failures: Middleware = {
  async onResponse({ request, response }) {
    if (response.ok) return;
    const problem = await problemOf(response);
    if (problem.code === "unauthorized")
      session.refuse(request.headers.get("Authorization")?.replace("Bearer ", "") ?? "");
    throw problem;
  },
  onError({ error }) {
    if (isAbort(error)) return; // rethrown unchanged
    return error instanceof TypeError ? unreachable(error) : toApiError(error);
  },
};

/** Returns a client of paths of the local API. */
export function clientOf<Paths extends object>() {
  const client = createClient<Paths, "application/json">({
    Request: ApiRequest,
    fetch: (request) => fetch(request),
    headers: { Accept: "application/json" },
    querySerializer,
  });
  client.use(failures, authorize);
  return client;
}

/** The local API: `dataOf(api.GET("/history/{generation_id}", { params: { path: { generation_id: id } } }))`. */
export const api = clientOf<paths>();

/** The paths of the hosted API that the page uses by the forwarder of the local API. */
export const forwarded = clientOf<ForwardedPaths>();

type Result = { data?: unknown; error?: unknown };
type Success<R extends Result> = Extract<R, { error?: never }>;

function isSuccess<R extends Result>(result: R): result is Success<R> {
  return result.error === undefined;
}

/** Returns the body of a successful response; the client has thrown failures already. */
export async function dataOf<R extends Result>(call: Promise<R>): Promise<Success<R>["data"]> {
  const result = await call;
  if (!isSuccess(result)) throw toApiError(result.error);
  return result.data;
}

/** Options of requests that fetch a file. */
export const asFile = { parseAs: "blob", headers: { Accept: "*/*" } } as const;

/** Options of requests that read an event stream. */
export const asEvents = { parseAs: "stream", headers: { Accept: "text/event-stream" } } as const;

/** Encodes the fields of a body as a form, for routes that accept a file. No header may have the control characters of its name. */
export function asForm(fields: object | undefined): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields ?? {}))
    if (value instanceof File) form.set(name, value, value.name.replace(/\p{Cc}/gu, "\uFFFD"));
    else form.set(name, value instanceof Blob ? value : String(value));
  return form;
}
