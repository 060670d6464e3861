import { afterEach, expect, it, vi } from "vitest";
import { fakeApi, reply } from "@/test/fakeApi";
import { api, asForm, dataOf, forwarded } from "./client";
import { session } from "./session";

afterEach(() => session.give(""));

const read = (signal?: AbortSignal) =>
  dataOf(api.GET("/history/{generation_id}", { params: { path: { generation_id: "a/b" } }, signal }));

it("sends the token and encodes path and query, without empty parameters", async () => {
  const { calls } = fakeApi({ "GET /history": { items: [], total: 0, next_cursor: null } });
  session.give("secret");
  await dataOf(api.GET("/history", { params: { query: { search: "two words", language: "", limit: 5 } } }));
  expect(calls[0]?.headers.get("Authorization")).toBe("Bearer secret");
  expect(calls[0]?.query.toString()).toBe("search=two+words&limit=5");
});

it("turns a failure into an error with code and params", async () => {
  fakeApi({
    "GET /history/{id}": reply(404, { code: "not_found", detail: "No.", remedy: "Look.", params: { id: 1 } }),
  });
  await expect(read()).rejects.toMatchObject({ status: 404, code: "not_found", remedy: "Look.", params: { id: 1 } });
});

it("turns a failure without a readable body into an internal error", async () => {
  fakeApi({ "GET /history/{id}": () => new Response("<html>", { status: 502 }) });
  await expect(read()).rejects.toMatchObject({ status: 502, code: "internal" });
  fakeApi({ "GET /history/{id}": reply(500, { code: 7, params: "x" }) });
  await expect(read()).rejects.toMatchObject({ status: 500, code: "internal", params: {} });
});

it("reports an unreachable server, and rethrows an abort unchanged", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(read()).rejects.toMatchObject({ status: 0, code: "unreachable" });
  fakeApi({ "GET /history/{id}": {} });
  const abort = new AbortController();
  abort.abort();
  await expect(read(abort.signal)).rejects.toMatchObject({ name: "AbortError" });
});

it("keeps the token of this session when the hosted service refuses its own", async () => {
  session.give("right");
  fakeApi({ "GET /hosted/status": reply(401, { code: "hosted_not_signed_in", detail: "Sign in again." }) });
  await expect(dataOf(api.GET("/hosted/status"))).rejects.toMatchObject({ code: "hosted_not_signed_in" });
  fakeApi({ "GET /api/v1/user/api-keys": reply(401, { error: "The JWT has expired." }) });
  const header = { "X-Voicewright-Auth": "jwt" } as const;
  const keys = dataOf(forwarded.GET("/api/v1/user/api-keys", { params: { header } }));
  await expect(keys).rejects.toMatchObject({ code: "hosted_not_signed_in", detail: "The JWT has expired." });
  expect(session.get()).toMatchObject({ state: "ready", token: "right" });
});

it("requests the token again when the server refuses it", async () => {
  fakeApi({ "GET /history/{id}": reply(401, { code: "unauthorized" }) });
  session.give("old");
  await expect(read()).rejects.toMatchObject({ status: 401 });
  expect(session.get().state).toBe("needs-token");
});

it("sends a file under a name that a header can have", () => {
  const form = asForm({ file: new File(["a"], 'a\u001b[2J\n"b".wav'), language: "de" });
  expect((form.get("file") as File).name).toBe('a\uFFFD[2J\uFFFD"b".wav');
  expect(form.get("language")).toBe("de");
});
