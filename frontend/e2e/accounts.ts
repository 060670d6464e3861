import type { Page } from "@playwright/test";
import type { AccountKey } from "@/api/account";
import type { HostedStatus } from "@/api/hosted";
import type { AccountCall } from "@/api/usage";
import { now } from "./scene";

const daysFromNow = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

const signedOut: HostedStatus = {
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
  login: { status: "idle", authorization_url: "", expires_at: null, error: null },
  secrets: { place: "keychain", file_allowed: false },
};

const signedIn: HostedStatus = {
  ...signedOut,
  signed_in: true,
  account: "nora.ahl@example.org",
  email: "nora.ahl@example.org",
  key_prefix: "svc_sk_k7Qd",
  plan: "pro",
  credits: 84_120,
  payg_credits: 12_000,
  expires_at: daysFromNow(21),
  signed_in_at: daysFromNow(-41),
  checked_at: daysFromNow(0),
};

const key = (id: string, name: string, keyPrefix: string, created: number, used: number | null): AccountKey => ({
  id,
  name,
  keyPrefix,
  createdAt: daysFromNow(created),
  lastUsedAt: used === null ? null : daysFromNow(used),
  revokedAt: null,
});

const keys: AccountKey[] = [
  key("1", "Voicewright", "svc_sk_k7Qd", -41, 0),
  key("2", "Render box", "svc_sk_9vLx", -85, -4),
  { ...key("3", "Old laptop", "svc_sk_Zb2m", -250, -97), revokedAt: daysFromNow(-90) },
];

/** Weeks in which less is spoken on some days, and nothing on others; newest first. */
const calls = Array.from({ length: 36 }, (_, ago): AccountCall[] => {
  const characters = ago % 7 > 4 ? 0 : 400 + ((ago * ago * 31 + ago * 5) % 13) * 310;
  const day = { id: String(ago), createdAt: daysFromNow(-ago), characters, credits: Math.round(characters * 1.89) };
  return characters === 0 ? [] : [{ ...day, status: "charged" }];
}).flat();

/** Replaces the account of the hosted service with that of an imaginary person, signed in or out. */
export async function imagineAccount(page: Page, isSignedIn: boolean): Promise<void> {
  await page.route(
    (url) => url.pathname === "/hosted/status",
    (route) => route.fulfill({ json: isSignedIn ? signedIn : signedOut }),
  );
  await page.route(
    (url) => url.pathname === "/api/v1/user/api-keys",
    (route) => route.fulfill({ json: { success: true, apiKeys: keys } }),
  );
  await page.route(
    (url) => url.pathname === "/api/v1/user/usage",
    (route) => route.fulfill({ json: { usage: calls, nextCursor: null } }),
  );
}
