import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { useShownQuote, type HostedQuote, type HostedStatus } from "@/api/hosted";
import { fakeApi, renderWithProviders } from "@/test";
import { HostedCredits } from "./HostedCredits";
import { HostedNotice } from "./HostedNotice";
import { Palette } from "./Palette";

const none: Partial<HostedStatus> = {
  enabled: true,
  configured: true,
  signed_in: false,
  key_prefix: "",
  credits: null,
  notice: null,
};
const credits: Partial<HostedStatus> = { ...none, signed_in: true, credits: 84_120 };

function open(status: Partial<HostedStatus>, more = <></>) {
  const api = fakeApi({ "GET /hosted/status": status });
  const view = renderWithProviders(
    <>
      <HostedCredits />
      <HostedNotice />
      {more}
    </>,
  );
  return { api, ...view };
}

const settled = (api: ReturnType<typeof fakeApi>) =>
  vi.waitFor(() => expect(api.to("GET /hosted/status").length).toBeGreaterThan(0), { timeout: 60_000 });

function Priced({ price }: { price: Partial<HostedQuote> }) {
  useShownQuote(price as HostedQuote);
  return null;
}
const price = { credits: 1890 };

describe("credits in the top bar", () => {
  it("are a short number with the full one as its name, and lead to Account", async () => {
    open(credits);
    const link = await screen.findByRole("link", { name: "84,120 credits. Open Account" });
    expect(link).toHaveTextContent("84K");
    expect(link).toHaveAttribute("href", "#/account");
  });

  it("show the price of the present text", async () => {
    open(credits, <Priced price={price} />);
    const link = await screen.findByRole("link", { name: "This text costs 1,890 of 84,120 credits. Open Account" });
    expect(link).toHaveTextContent("1.9K of 84K");
  });

  it("are left out without a sign-in or a key, and while the service is off", async () => {
    const { api } = open({ ...none, credits: 10 });
    await settled(api);
    expect(screen.queryByRole("link")).toBeNull();
    const off = open({ ...credits, enabled: false });
    await settled(off.api);
    expect(screen.queryByRole("link")).toBeNull();
  });
});

describe("the notice of a plan", () => {
  const ending = { kind: "plan_expires", expires_at: "2026-12-14T12:00:00Z" } as const;

  it("is dismissed for a day", async () => {
    vi.useFakeTimers({ now: new Date("2026-12-10T10:00:00"), shouldAdvanceTime: true });
    try {
      const { user, unmount } = open({ ...credits, notice: ending });
      await waitFor(() => expect(screen.getByText("Your plan expires on Dec 14, 2026.")).toBeVisible());
      await user.click(screen.getByRole("button", { name: "Close" }));
      expect(screen.queryByText(/Your plan expires/)).toBeNull();
      unmount();
      const later = open({ ...credits, notice: ending });
      await screen.findByRole("link", { name: /credits/ });
      expect(screen.queryByText(/Your plan expires/)).toBeNull();
      later.unmount();
      vi.setSystemTime(new Date("2026-12-11T10:00:00"));
      open({ ...credits, notice: ending });
      await waitFor(() => expect(screen.getByText(/Your plan expires/)).toBeVisible());
    } finally {
      vi.useRealTimers();
    }
  });

  it("says that it has expired, and that credits are low", async () => {
    const first = open({ ...credits, notice: { kind: "plan_expired", expires_at: "2026-12-01T00:00:00Z" } });
    await waitFor(() => expect(screen.getByText(/Your plan has expired/)).toBeVisible());
    first.unmount();
    open({ ...credits, credits: 900 });
    await waitFor(() => expect(screen.getByText(/You have few credits left/)).toBeVisible());
  });
});

describe("the palette", () => {
  it("has the action that the account allows", async () => {
    const routes = {
      "GET /models/status": { models: [] },
      "GET /drafts": { items: [], total: 0, next_cursor: null },
      "GET /settings": {},
    };
    fakeApi({ ...routes, "GET /hosted/status": credits });
    const view = renderWithProviders(<Palette open onOpenChange={() => undefined} />);
    await waitFor(() => expect(screen.getByRole("option", { name: "Sign out" })).toBeVisible());
    expect(screen.queryByRole("option", { name: "Sign in" })).toBeNull();
    view.unmount();
    fakeApi({ ...routes, "GET /hosted/status": none });
    renderWithProviders(<Palette open onOpenChange={() => undefined} />);
    const entry = await screen.findByRole("option", { name: "Sign in" });
    await act(() => view.user.click(entry));
    expect(location.hash).toBe("#/account");
  });
});
