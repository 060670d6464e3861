import { act, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { describe, expect, it, vi } from "vitest";
import type { AccountKey } from "@/api/account";
import type { HostedStatus } from "@/api/hosted";
import { keys } from "@/api/keys";
import { fakeApi, renderWithProviders, reply, type Handler } from "@/test";
import Account from ".";

const idle = { status: "idle", authorization_url: "", expires_at: null, error: null } as const;

function aStatus(part: Partial<HostedStatus> = {}): HostedStatus {
  return {
    enabled: true,
    configured: true,
    signed_in: false,
    account: "",
    email: "",
    key_prefix: "",
    base_url: "https://voice.example.org",
    plan: "",
    credits: null,
    payg_credits: null,
    expires_at: null,
    signed_in_at: null,
    checked_at: null,
    error: null,
    notice: null,
    login: idle,
    secrets: { place: "keychain", file_allowed: false },
    ...part,
  };
}

const signedIn = (part: Partial<HostedStatus> = {}) =>
  aStatus({
    signed_in: true,
    account: "mara",
    email: "mara@example.org",
    signed_in_at: "2026-10-02T08:00:00Z",
    checked_at: "2026-11-20T10:00:00Z",
    plan: "pro",
    credits: 84_120,
    payg_credits: 12_000,
    expires_at: "2026-12-14T00:00:00Z",
    ...part,
  });

const aKey = (part: Partial<AccountKey> = {}): AccountKey => ({
  id: "k1",
  keyPrefix: "svc_sk_k7Qd",
  name: "Render box",
  createdAt: "2026-10-02T08:00:00Z",
  lastUsedAt: null,
  revokedAt: null,
  ...part,
});

const problem = (status: number, code: string) => reply(status, { code, detail: code, remedy: "", params: {} });

/** Renders the screen; `server.status` is what the next reading of the status returns. */
async function open(status: HostedStatus, routes: Record<string, Handler> = {}) {
  const server = { status };
  const api = fakeApi({
    "GET /hosted/status": () => server.status,
    "GET /settings": { "hosted.warn_credits": 0, "hosted.ask_credits": 500, "hosted.issuer": "" },
    "PUT /settings": {},
    "GET /api/v1/user/api-keys": { success: true, apiKeys: [] },
    ...routes,
  });
  const view = renderWithProviders(<Account />);
  await waitFor(() => expect(api.to("GET /hosted/status")).not.toHaveLength(0));
  return {
    ...view,
    api,
    /** Changes the status, as an event of the server reports it. */
    change: async (next: HostedStatus) => {
      server.status = next;
      await act(() => view.client.invalidateQueries({ queryKey: keys.hosted }));
    },
    set: (next: HostedStatus) => {
      server.status = next;
    },
  };
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const found = (name: string | RegExp) => screen.findByRole("button", { name });

describe("without an address", () => {
  it("requests it first, tests it as it is typed, and saves it", async () => {
    const test = { ok: true, ms: 142, key_accepted: null, error: null };
    const { api, user } = await open(aStatus({ configured: false, base_url: "" }), { "POST /hosted/test": test });
    const field = await screen.findByRole("textbox", { name: "Base URL" });
    expect(button("Continue")).toBeDisabled();
    await user.type(field, "https://voice.example.org");
    await user.click(button("Test"));
    await waitFor(() => expect(screen.getByText("The service answered in 142 ms.")).toBeVisible());
    expect(api.to("POST /hosted/test")[0]?.body).toEqual({ base_url: "https://voice.example.org" });
    expect(api.to("PUT /settings")).toEqual([]);
    await user.click(button("Continue"));
    expect(api.to("PUT /settings")[0]?.body).toEqual({ "hosted.base_url": "https://voice.example.org" });
    expect(screen.queryByRole("button", { name: "Sign in" })).toBeNull();
  });

  it("says at the field what is wrong with an address", async () => {
    const wrong = { detail: [{ loc: ["body", "hosted.base_url"], msg: "must be https", type: "value_error" }] };
    const { user } = await open(aStatus({ configured: false }), { "PUT /settings": reply(422, wrong) });
    await user.type(await screen.findByRole("textbox", { name: "Base URL" }), "http://example.org{Enter}");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Enter an https address"));
  });
});

describe("signed out", () => {
  it("opens the sign-in page, waits for the browser, and says who signed in", async () => {
    vi.useFakeTimers({ now: new Date("2026-11-20T10:00:00Z"), shouldAdvanceTime: true });
    try {
      const url = "https://login.example.org/authorize?state=x";
      const { api, user, change, set } = await open(aStatus(), {
        "POST /hosted/login": () => {
          set(
            aStatus({
              login: { ...idle, status: "waiting", authorization_url: url, expires_at: "2026-11-20T10:02:00Z" },
            }),
          );
          return reply(202, { authorization_url: url });
        },
      });
      await user.click(await found("Sign in"));
      const link = await screen.findByRole("link", { name: "Open the sign-in page" });
      expect(link).toHaveAttribute("href", url);
      expect(link).toHaveAttribute("target", "_blank");
      expect(link).toHaveAttribute("rel", "noopener");
      expect(screen.getByRole("timer")).toHaveTextContent(/^[12]:\d\d left$/);
      expect(screen.getByRole("region", { name: "Signing in" })).toHaveFocus();
      expect(api.to("POST /hosted/login")).toHaveLength(1);
      await change(signedIn());
      await waitFor(() => expect(screen.getByText("mara@example.org")).toBeVisible());
      expect(screen.getByText("Signed in as mara@example.org.")).toBeVisible();
    } finally {
      vi.useRealTimers();
    }
  });

  it("cancels the sign-in, and ends it with a pasted address", async () => {
    const waiting = aStatus({ login: { ...idle, status: "waiting", authorization_url: "https://x.example/" } });
    const { api, user } = await open(waiting, {
      "POST /hosted/login/finish": problem(409, "not_in_progress"),
      "DELETE /hosted/login": reply(204),
    });
    await user.click(await found("Paste the address"));
    const field = screen.getByRole("textbox", { name: "Address at which the browser ended" });
    await user.type(field, "http://127.0.0.1:9/callback?code=1{Enter}");
    await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
    expect(api.to("POST /hosted/login/finish")[0]?.body).toEqual({ url: "http://127.0.0.1:9/callback?code=1" });
    await user.click(button("Cancel"));
    expect(api.to("DELETE /hosted/login")).toHaveLength(1);
  });

  it("asks for a file before a key is created where there is no keychain", async () => {
    const { api, user } = await open(signedIn({ secrets: { place: "none", file_allowed: false } }), {
      "POST /hosted/key": reply(201, { key_prefix: "svc_sk_k7Qd" }),
    });
    await user.click(await found("Create a key for this machine"));
    const dialog = await screen.findByRole("dialog", { name: "Store the sign-in in a file?" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(api.to("POST /hosted/key")).toEqual([]);
    await user.click(button("Create a key for this machine"));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Store in a file" }));
    await waitFor(() => expect(api.to("POST /hosted/key")).toHaveLength(1));
    expect(api.to("PUT /settings")[0]?.body).toEqual({ "secrets.allow_file": true });
  });

  it("stores a key, and asks for a file when the keychain fails", async () => {
    const server = { allowed: false };
    const { api, user, set } = await open(aStatus(), {
      "PUT /settings": () => {
        server.allowed = true;
        return {};
      },
      "PUT /hosted/key": () => {
        if (!server.allowed) return problem(409, "secrets_unavailable");
        set(aStatus({ key_prefix: "svc_sk_abcd", secrets: { place: "file", file_allowed: true } }));
        return { key_prefix: "svc_sk_abcd" };
      },
    });
    await user.click(await found("Use an API key"));
    const field = screen.getByLabelText("API key");
    expect(field).toHaveAttribute("type", "password");
    await user.type(field, "svc_sk_abcdefgh");
    await user.click(button("Save key"));
    const dialog = await screen.findByRole("dialog", { name: "Store the sign-in in a file?" });
    expect(dialog).toHaveTextContent("protects only against casual access, unless VOICEWRIGHT_PASSPHRASE is set");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Store in a file" }));
    await waitFor(() => expect(screen.getByText("svc_sk_abcd…")).toBeVisible());
    expect(api.to("PUT /settings")[0]?.body).toEqual({ "secrets.allow_file": true });
    expect(api.to("PUT /hosted/key").map(({ body }) => body)).toEqual([
      { key: "svc_sk_abcdefgh" },
      { key: "svc_sk_abcdefgh" },
    ]);
    expect(document.body).not.toHaveTextContent("svc_sk_abcdefgh");
    expect(screen.queryByLabelText("API key")).toBeNull();
  });

  it("shows why the key was not stored when a file is refused", async () => {
    const { api, user } = await open(aStatus(), { "PUT /hosted/key": problem(409, "secrets_unavailable") });
    await user.click(await found("Use an API key"));
    await user.type(screen.getByLabelText("API key"), "svc_sk_x{Enter}");
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(/keychain/i));
    expect(api.to("PUT /settings")).toEqual([]);
  });

  it("allows a file for a sign-in that had no place, and starts it again", async () => {
    const error = { code: "secrets_unavailable", detail: "No keychain.", remedy: "", params: {} };
    const { api, user } = await open(aStatus({ login: { ...idle, status: "failed", error } }), {
      "POST /hosted/login": reply(202, { authorization_url: "https://x.example/" }),
    });
    await user.click(await found("Store in a file"));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Store in a file" }));
    await waitFor(() => expect(api.to("POST /hosted/login")).toHaveLength(1));
    expect(api.to("PUT /settings")[0]?.body).toEqual({ "secrets.allow_file": true });
  });
});

describe("signed in", () => {
  it("shows plan and credits by their source, and when they end", async () => {
    await open(signedIn());
    const card = await screen.findByRole("group", { name: "Credits" });
    expect(card).toHaveTextContent("84,120");
    expect(card).toHaveTextContent("Pro plan");
    expect(card).toHaveTextContent(/72,120 from the plan, until Dec 1[34], 2026/);
    expect(card).toHaveTextContent("12,000 purchased, never expire");
    expect(screen.getByRole("img", { name: /72,120 from the plan.*12,000 purchased/ })).toBeVisible();
    expect(card).not.toHaveTextContent("As of");
  });

  it("shows what is left of the Free plan", async () => {
    await open(signedIn({ plan: "free", credits: 2500, payg_credits: 0, expires_at: null }));
    const card = await screen.findByRole("group", { name: "Credits" });
    expect(card).toHaveTextContent("2,500 of 10,000 from the Free plan");
    expect(card.querySelector(".k-parts i")).toHaveStyle({ "--p": "25%" });
  });

  it("keeps the last known values with their time, and says what to do", async () => {
    const error = { code: "hosted_not_signed_in", detail: "Refused.", remedy: "", params: {} };
    const login = reply(202, { authorization_url: "https://x.example/" });
    const { api, user } = await open(signedIn({ error }), { "POST /hosted/login": login });
    const credits = () => screen.getByRole("group", { name: "Credits" });
    await waitFor(() => expect(credits()).toHaveTextContent(/84,120.*As of Nov 20, 2026/));
    await user.click(button("Sign in again"));
    await waitFor(() => expect(api.to("POST /hosted/login")).toHaveLength(1));
  });

  it.each([
    ["offline", {}, "Offline mode is on.", /Settings, Network/],
    ["hosted_unreachable", {}, "The hosted service can’t be reached.", /Check the connection and the base URL/],
    ["hosted_unreachable", { reason: "certificate" }, /its certificate isn’t valid/, /Nothing was sent/],
    ["secrets_unavailable", { reason: "locked" }, "The system’s keychain is locked.", /Unlock it/],
    ["hosted_403", {}, "The hosted service doesn’t allow this for your account.", /ask the operator of the service/],
    ["hosted_not_signed_in", { reason: "key" }, "The hosted service doesn’t accept the API key.", /Use another key/],
  ])("says what to do about %s %j", async (code, params, title, remedy) => {
    await open(signedIn({ error: { code, params, detail: "", remedy: "" } }));
    const alert = await screen.findByRole("alert");
    expect(within(alert).getByText(title)).toBeVisible();
    expect(within(alert).getByText(remedy)).toBeVisible();
    expect(screen.getByRole("group", { name: "Credits" })).toHaveTextContent("84,120");
  });

  it("creates the key of this machine, and marks it", async () => {
    const { api, user, set } = await open(signedIn(), {
      "GET /api/v1/user/api-keys": { apiKeys: [aKey()] },
      "POST /hosted/key": () => {
        set(signedIn({ key_prefix: "svc_sk_k7Qd" }));
        return reply(201, { key_prefix: "svc_sk_k7Qd" });
      },
    });
    await waitFor(() => expect(screen.getByText("Speech costs 10% less with an API key.")).toBeVisible());
    await user.click(button("Create a key for this machine"));
    await waitFor(() => expect(screen.getByText("This machine")).toBeVisible());
    expect(screen.getByRole("row", { name: /Render box/ })).toHaveTextContent("10% less");
    expect(api.to("POST /hosted/key")[0]?.body).toEqual({ name: "Voicewright" });
    expect(api.to("GET /api/v1/user/api-keys")[0]?.headers.get("X-Voicewright-Auth")).toBe("jwt");
    expect(screen.queryByText("Speech costs 10% less with an API key.")).toBeNull();
  });

  it("shows a new key once, to be copied", async () => {
    const { api, user } = await open(signedIn({ key_prefix: "svc_sk_other" }), {
      "POST /api/v1/user/api-keys": reply(201, { success: true, key: "svc_sk_secret", apiKey: aKey() }),
    });
    const copied = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(await found("New key"));
    await user.type(screen.getByRole("textbox", { name: "Name" }), "Render box{Enter}");
    await waitFor(() => expect(screen.getByText("svc_sk_secret")).toBeVisible());
    expect(api.to("POST /api/v1/user/api-keys")[0]?.body).toEqual({ name: "Render box" });
    await user.click(button("Copy key"));
    expect(copied).toHaveBeenCalledWith("svc_sk_secret");
    await user.click(button("Done"));
    expect(screen.queryByText("svc_sk_secret")).toBeNull();
  });

  it("revokes a key after a question; that of this machine is deleted from it too", async () => {
    const { api, user } = await open(signedIn({ key_prefix: "svc_sk_k7Qd" }), {
      "GET /api/v1/user/api-keys": {
        apiKeys: [
          aKey(),
          aKey({ id: "k2", name: "Old laptop", keyPrefix: "svc_sk_Zb2m", revokedAt: "2026-10-03T08:00:00Z" }),
        ],
      },
      "DELETE /api/v1/user/api-keys/{id}": { success: true },
      "DELETE /hosted/key": reply(204),
    });
    await waitFor(() => expect(screen.getByRole("row", { name: /Old laptop/ })).toHaveTextContent("Revoked"));
    expect(screen.getAllByRole("button", { name: /^Revoke / })).toHaveLength(1);
    await user.click(button("Revoke Render box"));
    const dialog = await screen.findByRole("dialog", { name: "Revoke “Render box”?" });
    expect(dialog).toHaveTextContent("This can’t be undone.");
    expect(within(dialog).getByRole("button", { name: "Cancel" })).toHaveFocus();
    await user.click(within(dialog).getByRole("button", { name: "Revoke key" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(api.to("DELETE /api/v1/user/api-keys/{id}")[0]?.path).toBe("/api/v1/user/api-keys/k1");
    expect(api.to("DELETE /hosted/key")).toHaveLength(1);
  });

  it("says before the click that the Free plan has no keys, and that ten are the most", async () => {
    const { change, api } = await open(signedIn({ plan: "free", payg_credits: 0 }));
    await waitFor(() =>
      expect(screen.getByText("API keys need a Pro or Max plan, or purchased credits.")).toBeVisible(),
    );
    expect(button("New key")).toBeDisabled();
    expect(screen.queryByRole("button", { name: "Create a key for this machine" })).toBeNull();
    const ten = Array.from({ length: 10 }, (_, i) => aKey({ id: `k${i}`, name: `Key ${i}` }));
    api.set("GET /api/v1/user/api-keys", { apiKeys: ten });
    await change(signedIn({ key_prefix: "svc_sk_other" }));
    await waitFor(() => expect(screen.getByText(/can have 10 active keys/)).toBeVisible());
    expect(button("New key")).toBeDisabled();
  });
});

describe("the options", () => {
  it("save prices as numbers, and refuse words", async () => {
    const { api, user } = await open(signedIn());
    const warn = await screen.findByRole("textbox", { name: "Warn from" });
    expect(screen.getByRole("textbox", { name: "Ask before spending" })).toHaveValue("500");
    await user.type(warn, "many{Enter}");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Enter a number of credits"));
    await user.clear(warn);
    await user.type(warn, "2000{Enter}");
    expect(api.to("PUT /settings").map(({ body }) => body)).toEqual([{ "hosted.warn_credits": 2000 }]);
  });

  it("show what is rarely changed on request", async () => {
    const { user } = await open(signedIn());
    await screen.findByRole("textbox", { name: "Warn from" });
    expect(screen.queryByLabelText("Base URL")).toBeNull();
    await user.click(screen.getByText("Advanced"));
    await waitFor(() => expect(screen.getByLabelText("Base URL")).toBeVisible());
  });

  it("say how to sign in where the service does not", async () => {
    const texts = {
      "hosted.scopes": "openid",
      "hosted.client_secret": "",
      "hosted.resource": "",
      "hosted.auth_params": "",
    };
    const wrong = { detail: [{ loc: ["body", "hosted.auth_params"], msg: "reserved", type: "value_error" }] };
    const { api, user } = await open(signedIn(), {
      "GET /settings": { ...texts, "hosted.use_id_token": false },
      "PUT /settings": ({ body }: { body: unknown }) =>
        "hosted.auth_params" in (body as object) ? reply(422, wrong) : {},
    });
    await user.click(await screen.findByText("Advanced"));
    const scopes = await screen.findByRole("textbox", { name: "Scopes" });
    expect(scopes).toHaveValue("openid");
    await user.clear(scopes);
    await user.type(scopes, "openid email{Enter}");
    await user.type(screen.getByRole("textbox", { name: "Client secret" }), "GOCSPX-x{Enter}");
    await user.type(screen.getByRole("textbox", { name: "Resource" }), "none{Enter}");
    await user.click(screen.getByRole("switch", { name: "Use the ID token" }));
    await user.type(screen.getByRole("textbox", { name: "More parameters" }), "state=x{Enter}");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Enter a valid value"));
    expect(api.to("PUT /settings").map(({ body }) => body)).toEqual([
      { "hosted.scopes": "openid email" },
      { "hosted.client_secret": "GOCSPX-x" },
      { "hosted.resource": "none" },
      { "hosted.use_id_token": true },
      { "hosted.auth_params": "state=x" },
    ]);
  });

  it("are in German too", async () => {
    await act(() => i18next.changeLanguage("de"));
    await open(signedIn());
    await waitFor(() => expect(screen.getByText("Mit einem API-Schlüssel kostet Sprache 10 % weniger.")).toBeVisible());
    expect(button("Abmelden")).toBeVisible();
  });
});
