import { ApiError, isAbort, unreachable } from "./errors";
import type { paths } from "./schema";
import { session } from "./session";

type Method = "get" | "post" | "put" | "patch" | "delete";
/** The routes that have a method. */
export type Route<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

type Part<T, K extends string> = T extends { parameters: { [X in K]?: infer V } } ? V : never;
type BodyOf<T> = T extends { requestBody?: { content: infer C } }
  ? C extends { "application/json": infer J }
    ? J
    : never
  : never;
type Json<T> = T extends { content: { "application/json": infer J } } ? J : never;
type Good<R> = { [S in keyof R]: S extends 200 | 201 | 202 ? Json<R[S]> : never }[keyof R];
/** What a route answers when it works; undefined where it answers nothing. */
export type Answer<P extends keyof paths, M extends Method> = paths[P][M] extends { responses: infer R }
  ? [Good<R>] extends [never]
    ? undefined
    : Good<R>
  : never;

type QueryOf<P extends keyof paths, M extends Method> = Part<paths[P][M], "query">;
type PathOf<P extends keyof paths, M extends Method> = Part<paths[P][M], "path">;

export interface Options<P extends keyof paths, M extends Method> {
  path?: PathOf<P, M>;
  query?: QueryOf<P, M>;
  body?: BodyOf<paths[P][M]>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Lets the request outlive the page, for what is sent as the window closes. */
  keepalive?: boolean;
}

interface Plain {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
}

/** The full address of a path of the API, for links and <audio>. */
export function apiUrl(path: string): string {
  return session.get().base + path;
}

function fill(route: string, path: unknown): string {
  const values = (path ?? {}) as Record<string, unknown>;
  return route.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

function queryString(query: unknown): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null && value !== "") pairs.set(name, String(value));
  }
  const text = pairs.toString();
  return text ? `?${text}` : "";
}

/** Sends a request with the token and turns every failure into an ApiError. */
export async function send(
  method: string,
  path: string,
  init: {
    headers?: Record<string, string>;
    body?: BodyInit;
    signal?: AbortSignal | undefined;
    keepalive?: boolean;
  } = {},
): Promise<Response> {
  const { token } = session.get();
  const headers: Record<string, string> = { Accept: "application/json", ...init.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(apiUrl(path), {
      method,
      headers,
      signal: init.signal ?? null,
      keepalive: init.keepalive ?? false,
      ...(init.body === undefined ? {} : { body: init.body }),
    });
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw unreachable(cause);
  }
  if (answer.ok) return answer;
  const problem: unknown = await answer.json().catch(() => ({}));
  if (answer.status === 401) session.refuse(token);
  throw new ApiError(answer.status, (problem ?? {}) as ConstructorParameters<typeof ApiError>[1]);
}

async function call(method: Method, route: string, options: Plain): Promise<unknown> {
  const hasBody = options.body !== undefined;
  const answer = await send(method.toUpperCase(), fill(route, options.path) + queryString(options.query), {
    headers: { ...(hasBody ? { "Content-Type": "application/json" } : {}), ...options.headers },
    signal: options.signal,
    keepalive: options.keepalive ?? false,
    ...(hasBody ? { body: JSON.stringify(options.body) } : {}),
  });
  if (answer.status === 204) return undefined;
  return answer.json() as Promise<unknown>;
}

function typed<M extends Method>(method: M) {
  return <P extends Route<M>>(route: P, options: Options<P, M> = {}): Promise<Answer<P, M>> =>
    call(method, route, options) as Promise<Answer<P, M>>;
}

/** The local API: `api.get("/history/{generation_id}", { path: { generation_id: id } })`. */
export const api = {
  get: typed("get"),
  post: typed("post"),
  put: typed("put"),
  patch: typed("patch"),
  del: typed("delete"),
};

/** Fetches a file of the API with the token, for example a preview or an export. */
export async function fetchBlob<P extends Route<"get">>(route: P, options: Options<P, "get"> = {}): Promise<Blob> {
  const plain: Plain = options;
  const answer = await send("GET", fill(route, plain.path) + queryString(plain.query), {
    headers: { Accept: "*/*" },
    signal: plain.signal,
  });
  return answer.blob();
}

function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still be reading it
}

/** The window of the desktop cannot download: there the shell asks where to save, and writes what the API answers. */
async function saveAnswer(
  name: string,
  method: "GET" | "POST",
  path: string,
  body: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const save = window.go?.desktop?.Bridge?.SaveAnswer;
  if (save) return void (await save(name, method, path, body ?? ""));
  const headers = { Accept: "*/*", ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  const answer = await send(method, path, { headers, signal, ...(body === undefined ? {} : { body }) });
  saveBlob(await answer.blob(), name);
}

/** Hands a file of the API to the person, for example an export. */
export async function saveGet<P extends Route<"get">>(
  route: P,
  options: Options<P, "get">,
  name: string,
): Promise<void> {
  const plain: Plain = options;
  await saveAnswer(name, "GET", fill(route, plain.path) + queryString(plain.query), undefined, plain.signal);
}

/** Like saveGet, for what is asked for with a body. */
export async function savePost<P extends Route<"post">>(
  route: P,
  options: Options<P, "post">,
  name: string,
): Promise<void> {
  const plain: Plain = options;
  await saveAnswer(name, "POST", fill(route, plain.path), JSON.stringify(plain.body), plain.signal);
}

/** Hands a text to the person as a file. */
export async function saveText(text: string, name: string): Promise<void> {
  const save = window.go?.desktop?.Bridge?.SaveText;
  if (save) await save(name, text);
  else saveBlob(new Blob([text], { type: "text/plain;charset=utf-8" }), name);
}

/** Sends a file: as the form field `file`, or as the body itself when a type is given. */
export async function upload<T>(
  path: string,
  file: File,
  options: { type?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const form = new FormData();
  form.set("file", file);
  const init = options.type ? { headers: { "Content-Type": options.type }, body: file } : { body: form };
  const answer = await send("POST", path, { ...init, signal: options.signal });
  return answer.json() as Promise<T>;
}
