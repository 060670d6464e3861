import { act, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HostedStatus } from "@/api/hosted";
import { keys } from "@/api/keys";
import type { AccountCall } from "@/api/usage";
import { fakeApi, renderWithProviders, reply, type Handler } from "@/test";
import Account from ".";

const status = {
  enabled: true,
  configured: true,
  signed_in: true,
  account: "mara",
  email: "mara@example.org",
  key_prefix: "",
  base_url: "https://voice.example.org",
  plan: "pro",
  credits: 84_120,
  payg_credits: 0,
  expires_at: null,
  signed_in_at: null,
  checked_at: null,
  error: null,
  notice: null,
  login: { status: "idle", authorization_url: "", expires_at: null, error: null },
  secrets: { place: "keychain", file_allowed: false },
} satisfies HostedStatus;

const call = (id: string, createdAt: string, part: Partial<AccountCall> = {}): AccountCall => ({
  id,
  createdAt,
  characters: 1200,
  credits: 2520,
  status: "charged",
  ...part,
});

const calls = [
  call("3", "2026-11-29T09:00:00", { status: "refunded", credits: 0, characters: 80 }),
  call("2", "2026-11-28T10:00:00"),
  call("1", "2026-11-28T09:00:00", { credits: 100, characters: 50 }),
];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-29T12:00:00"), toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function open(usage: Handler, part: Partial<HostedStatus> = {}) {
  const server = { status: { ...status, ...part } as HostedStatus };
  const api = fakeApi({
    "GET /hosted/status": () => server.status,
    "GET /settings": {},
    "GET /api/v1/user/api-keys": { apiKeys: [] },
    "GET /api/v1/user/usage": usage,
  });
  return { api, server, ...renderWithProviders(<Account />) };
}

const list = (usage: readonly AccountCall[]) => ({ usage, nextCursor: null });
const section = () =>
  screen.findByRole("region", { name: /^(Usage in the last 30 days|Verbrauch der letzten 30 Tage)$/ });
const rowsOf = (part: HTMLElement) =>
  within(part)
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent));

describe("the usage of an account", () => {
  it("is a chart with a table that has the same numbers, the latest day first", async () => {
    open(list(calls));
    const usage = await section();
    const chart = await within(usage).findByRole("img");
    expect(chart).toHaveAccessibleName(
      "Credits per day from Oct 31, 2026 to Nov 29, 2026: 2,620 in total, 2,620 at most on Nov 28, 2026.",
    );
    expect(within(usage).getByText("2,620 credits")).toBeVisible();
    const rows = rowsOf(usage);
    expect(rows).toHaveLength(32);
    expect(rows[0]).toEqual(["Day", "Calls", "Characters", "Credits"]);
    expect(rows[1]).toEqual(["Nov 29, 2026", "1", "80", "0"]);
    expect(rows[2]).toEqual(["Nov 28, 2026", "2", "1,250", "2,620"]);
    expect(rows[30]).toEqual(["Oct 31, 2026", "0", "0", "0"]);
    expect(rows[31]).toEqual(["Total", "3", "1,330", "2,620"]);
    expect(within(usage).getByText("1 call failed and was refunded. It cost nothing.")).toBeVisible();
    expect(chart.querySelectorAll("title")).toHaveLength(30);
    expect(within(usage).getByRole("region", { name: "Usage per day" })).toHaveAttribute("tabindex", "0");
  });

  it("draws days in proportion, and a small price as a visible bar", async () => {
    open(list([call("2", "2026-11-29T09:00:00", { credits: 1000 }), call("1", "2026-11-28T09:00:00", { credits: 1 })]));
    const chart = await within(await section()).findByRole("img");
    const heights = [...chart.querySelectorAll("rect:nth-of-type(2)")].map((bar) => Number(bar.getAttribute("height")));
    expect(heights.at(-1)).toBe(100);
    expect(heights.at(-2)).toBe(2);
    expect(Math.max(...heights.slice(0, 28))).toBe(0);
  });

  it("says that there is none, and waits for it quietly", async () => {
    let answer: (body: unknown) => void = () => undefined;
    open(() => new Promise((done) => (answer = done)));
    const usage = await section();
    expect(usage).toHaveAttribute("aria-busy", "true");
    expect(within(usage).queryByText(/No calls/)).toBeNull();
    answer(list([call("1", "2026-10-01T09:00:00")]));
    await waitFor(() => expect(within(usage).getByText("No calls in the last 30 days.")).toBeVisible());
    expect(usage).toHaveAttribute("aria-busy", "false");
    expect(within(usage).queryByRole("table")).toBeNull();
  });

  it("says of a service that it lists no calls", async () => {
    open(reply(404, { error: "Not found" }));
    await waitFor(async () =>
      expect(within(await section()).getByText("This hosted service doesn’t list your calls.")).toBeVisible(),
    );
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it.each([
    [reply(429, { error: "Slow down", code: "RATE_LIMITED" }), /too many requests|too fast/i],
    [reply(500, { error: "Broken" }), /hosted service/],
    [{ usage: "none" }, "The hosted service sent a list that can’t be read."],
  ])("says what went wrong, and is read again on request", async (failure, title) => {
    const { api, user } = open(failure);
    const usage = await section();
    await waitFor(() => expect(within(usage).getByRole("alert")).toHaveTextContent(title));
    api.set("GET /api/v1/user/usage", list(calls));
    await user.click(within(usage).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(within(usage).getByRole("img")).toBeVisible());
    expect(within(usage).queryByRole("alert")).toBeNull();
  });

  it("keeps what was read when it cannot be read again", async () => {
    const { api, client } = open(list(calls));
    await within(await section()).findByRole("img");
    api.set("GET /api/v1/user/usage", reply(500, { error: "Broken" }));
    await act(() => client.invalidateQueries({ queryKey: keys.hosted }));
    const usage = await section();
    await waitFor(() => expect(within(usage).getByRole("alert")).toBeVisible());
    expect(within(usage).getByRole("img")).toBeVisible();
  });

  it("does not repeat the error that is said above it", async () => {
    const error = { code: "offline", params: {}, detail: "", remedy: "" };
    const { api } = open(reply(409, error), { error });
    await waitFor(() => expect(api.to("GET /api/v1/user/usage")).not.toHaveLength(0));
    await waitFor(() => expect(screen.queryByText("Usage in the last 30 days")).toBeNull());
    await waitFor(() => expect(screen.getByText("Offline mode is on.")).toBeVisible());
  });

  it("is read again after a call, and is that of the account that signs in next", async () => {
    const { api, client, server } = open(list(calls));
    await within(await section()).findByRole("img");
    api.set("GET /api/v1/user/usage", list([call("4", "2026-11-29T11:00:00", { status: "held" }), ...calls]));
    await act(() => client.invalidateQueries({ queryKey: keys.hosted }));
    await waitFor(async () => expect(within(await section()).getByText("5,140 credits")).toBeVisible());
    expect(screen.getByText("1 call is in progress. Its credits are reserved until it ends.")).toBeVisible();
    server.status = { ...status, account: "ben" };
    api.set("GET /api/v1/user/usage", list([]));
    await act(() => client.invalidateQueries({ queryKey: keys.hosted }));
    await waitFor(() => expect(screen.getByText("No calls in the last 30 days.")).toBeVisible());
  });

  it("shows no days that are unknown because the list is too long, and says so", async () => {
    let n = 0;
    open(() => {
      const usage = Array.from({ length: 100 }, () => {
        n += 1;
        return call(String(n), new Date(Date.now() - n * 60_000).toISOString(), { credits: 1, characters: 1 });
      });
      return { usage, nextCursor: String(n) };
    });
    const usage = await section();
    await waitFor(() =>
      expect(within(usage).getByText("Only the latest 5,000 calls are shown, back to Nov 26, 2026.")).toBeVisible(),
    );
    expect(
      within(usage).getByRole("img", { name: /^Credits per day from Nov 26, 2026 to Nov 29, 2026: / }),
    ).toBeVisible();
    expect(rowsOf(usage).map(([first]) => first)).toEqual([
      "Day",
      "Nov 29, 2026",
      "Nov 28, 2026",
      "Nov 27, 2026",
      "Nov 26, 2026",
      "Total",
    ]);
  });

  it("is in German too", async () => {
    await act(() => i18next.changeLanguage("de"));
    open(list(calls));
    const usage = await section();
    await waitFor(() => expect(within(usage).getByText("2.620 Credits")).toBeVisible());
    expect(rowsOf(usage)[0]).toEqual(["Tag", "Aufrufe", "Zeichen", "Credits"]);
    expect(
      within(usage).getByText("1 Aufruf ist fehlgeschlagen und wurde erstattet. Er hat nichts gekostet."),
    ).toBeVisible();
  });

  it("needs an account", async () => {
    const { api } = open(list(calls), { signed_in: false, account: "", key_prefix: "" });
    await waitFor(() => expect(screen.getByRole("button", { name: "Sign in" })).toBeVisible());
    expect(api.to("GET /api/v1/user/usage")).toEqual([]);
  });
});
