import { vi } from "vitest";

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
  params: Record<string, string>;
}
/** The response of a route: a body, or a function of the call; `reply(status, body)` for statuses other than 200. */
export type Handler = unknown | ((call: Call) => unknown);

class Reply {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}
/** Returns a response with a status: `reply(409, { code: "name_taken", detail: "...", remedy: "", params: {} })`. */
export const reply = (status: number, body?: unknown): Reply => new Reply(status, body);

function match(pattern: string, path: string): Record<string, string> | null {
  const names: string[] = [];
  const source = pattern.replace(/{(\w+)}/g, (_, name: string) => {
    names.push(name);
    return "([^/]+)";
  });
  const found = new RegExp(`^${source}$`).exec(path);
  return found ? Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? "")])) : null;
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get("Content-Type") ?? "";
  if (type.startsWith("multipart/")) return request.formData();
  const text = await request.text();
  return type === "application/json" && text ? (JSON.parse(text) as unknown) : text || undefined;
}

/**
 * Mocks fetch with routes such as "GET /history/{id}". Returns all calls that were made and a way to change routes.
 * Unknown routes respond with 404 and fail nothing by themselves. The last route that matches wins.
 */
export function fakeApi(routes: Record<string, Handler>) {
  const calls: Call[] = [];
  const table = { ...routes };
  const fetchFake = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(typeof input === "string" ? new URL(input, location.href) : input, init);
    const url = new URL(request.url);
    const { method } = request;
    const call: Call = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      params: {},
      body: await bodyOf(request),
    };
    calls.push(call);
    const key = Object.keys(table)
      .reverse()
      .find((route) => {
        const [verb = "", pattern = ""] = route.split(" ");
        const params = verb === method ? match(pattern, url.pathname) : null;
        if (params) call.params = params;
        return params !== null;
      });
    if (request.signal.aborted) throw new DOMException("aborted", "AbortError");
    if (key === undefined)
      return new Response(
        JSON.stringify({ code: "not_found", detail: `no fake for ${method} ${url.pathname}`, remedy: "", params: {} }),
        { status: 404 },
      );
    const handler = table[key];
    const result: unknown = await (typeof handler === "function"
      ? (handler as (call: Call) => unknown)(call)
      : handler);
    if (result instanceof Response) return result;
    const { status, body } = result instanceof Reply ? result : { status: 200, body: result };
    return new Response(status === 204 ? null : JSON.stringify(body ?? null), { status });
  };
  vi.stubGlobal("fetch", vi.fn(fetchFake));
  return {
    calls,
    /** Returns the calls to one route, such as "POST /generate". */
    to: (route: string) =>
      calls.filter((call) => {
        const [verb, pattern = ""] = route.split(" ");
        return verb === call.method && match(pattern, call.path) !== null;
      }),
    set: (route: string, handler: Handler) => {
      table[route] = handler;
    },
  };
}

/** Returns a page of a list. */
export const page = <T>(items: T[], next: string | null = null) => ({ items, total: items.length, next_cursor: next });
