import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeApi, reply, type Call } from "@/test";
import { readUsage, type AccountCall, type AccountUsage } from "./usage";

afterEach(() => {
  vi.unstubAllGlobals();
});

const newest = Date.parse("2026-11-29T12:00:00Z");
const day = 86_400_000;
const monthAgo = new Date(newest - 31 * day);

/** The n-th call of an account that calls every minute, or as often as it is said. */
const aCall = (n: number, minutes = 1): AccountCall => ({
  id: `c${n}`,
  createdAt: new Date(newest - n * minutes * 60_000).toISOString(),
  characters: 10,
  credits: 5,
  status: "charged",
});
const someCalls = (count: number, minutes = 1) => Array.from({ length: count }, (_, n) => aCall(n, minutes));

/** A service that lists these calls, by the number of the next one as cursor. */
function service(calls: readonly AccountCall[]) {
  const state = { calls };
  const api = fakeApi({
    "GET /api/v1/user/usage": ({ query }: Call) => {
      const from = Number(query.get("cursor") ?? 0);
      const to = from + Number(query.get("limit"));
      return { usage: state.calls.slice(from, to), nextCursor: to < state.calls.length ? String(to) : null };
    },
  });
  return { state, asked: () => api.calls.splice(0).length, api };
}

const read = (before?: AccountUsage, since = monthAgo) => readUsage(since, before, new AbortController().signal);

describe("the list of calls", () => {
  it.each([0, 1, 100, 101, 250])("is read to its end: %i calls", async (count) => {
    const { asked } = service(someCalls(count));
    const { calls, isCut } = await read();
    expect(calls.map(({ id }) => id)).toEqual(someCalls(count).map(({ id }) => id));
    expect(isCut).toBe(false);
    expect(asked()).toBe(Math.max(1, Math.ceil(count / 100)));
  });

  it("is read until the days are covered", async () => {
    const { asked } = service(someCalls(1000, 24 * 60)); // one a day
    expect((await read()).calls).toHaveLength(100);
    expect(asked()).toBe(1);
  });

  it("is cut where it is very long, and says so", async () => {
    const { asked } = service(someCalls(5001));
    const { calls, isCut } = await read();
    expect(calls).toHaveLength(5000);
    expect(isCut).toBe(true);
    expect(asked()).toBe(50);
  });

  it("ends where a service repeats its cursor, or has an empty page", async () => {
    const page = { usage: [aCall(0)], nextCursor: "again" };
    const api = fakeApi({ "GET /api/v1/user/usage": page });
    expect((await read()).calls).toHaveLength(1);
    api.set("GET /api/v1/user/usage", { usage: [], nextCursor: "more" });
    expect((await read()).calls).toEqual([]);
  });

  it("has a call once that moved to the next page while the list was read", async () => {
    const calls = someCalls(150);
    const { state, api } = service(calls);
    api.set("GET /api/v1/user/usage", ({ query }: Call) => {
      const from = Number(query.get("cursor") ?? 0);
      const usage = state.calls.slice(from, from + 100);
      if (from === 0) state.calls = [{ ...aCall(0), id: "new" }, ...calls];
      return { usage, nextCursor: from === 0 ? "100" : null };
    });
    expect((await read()).calls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
  });
});

describe("the list of calls, read again", () => {
  it("asks only for what is new", async () => {
    const { state, asked } = service(someCalls(450));
    const before = await read();
    asked();
    state.calls = [{ ...aCall(0), id: "new" }, ...state.calls];
    const { calls } = await read(before);
    expect(asked()).toBe(1);
    expect(calls.map(({ id }) => id)).toEqual(["new", ...someCalls(450).map(({ id }) => id)]);
  });

  it("asks again for what was held, and for all that is newer", async () => {
    const old = someCalls(450);
    const { state, asked } = service(old.map((call, n) => (n === 210 ? { ...call, status: "held" } : call)));
    const before = await read();
    state.calls = old.map((call, n) => (n === 210 ? { ...call, status: "refunded", credits: 0 } : call));
    asked();
    const { calls } = await read(before);
    expect(asked()).toBe(3);
    expect(calls).toHaveLength(450);
    expect(calls[210]?.status).toBe("refunded");
  });

  it("stays one that was cut", async () => {
    const { state } = service(someCalls(5001));
    const before = await read();
    state.calls = [{ ...aCall(0), id: "new" }, ...state.calls];
    expect(await read(before)).toMatchObject({ isCut: true, calls: { length: 5001 } });
  });
});

describe("a service that lists no calls", () => {
  it.each([
    ["none", {}],
    ["of another kind", { usage: [{ id: 7 }] }],
    ["without a time", { usage: [{ ...aCall(0), createdAt: "yesterday" }] }],
    ["not even JSON", null],
  ])("is an error: %s", async (_, answer) => {
    fakeApi({ "GET /api/v1/user/usage": answer });
    await expect(read()).rejects.toMatchObject({ code: "hosted_bad_answer", params: { reason: "usage" } });
  });

  it("is 404", async () => {
    fakeApi({ "GET /api/v1/user/usage": reply(404, { error: "Not found" }) });
    await expect(read()).rejects.toMatchObject({ status: 404 });
  });
});
