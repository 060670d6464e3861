import type { Locator, Page } from "@playwright/test";
import { accessible } from "./axe";
import { ask } from "./seed";
import { browse, startService, type Account, type Service } from "./service";
import { expect, open, test as base } from "./studio";

/** No keychain of the machine is used: neither that of a desktop session nor that of the user's bus. */
const noKeychain = {
  DBUS_SESSION_BUS_ADDRESS: "",
  XDG_RUNTIME_DIR: "",
  VOICEWRIGHT_PASSPHRASE: "",
};
/** The tests open the sign-in page themselves. */
const noBrowser = { DISPLAY: "", WAYLAND_DISPLAY: "" };

const mara = "mara@example.org";

const test = base.extend<{ service: Service; account: Account }>({
  // eslint-disable-next-line no-empty-pattern
  service: async ({}, give) => {
    const service = await startService();
    await give(service);
    await service.stop();
  },
  account: async ({ service }, give) => give(await service.account(mara, "pro")),
  options: { env: { ...noKeychain, ...noBrowser } },
});

/** Enters the address of the service, as the first step on the Account screen. */
async function setUp(studio: Page, service: Service): Promise<void> {
  await open(studio, "account");
  await studio.getByRole("textbox", { name: "Base URL" }).fill(service.url);
  await studio.getByRole("button", { name: "Test" }).click();
  await expect(studio.getByText(/The service answered in \d+ ms\./)).toBeVisible();
  await studio.getByRole("button", { name: "Continue" }).click();
}

/** Starts the sign-in and permits a file for secrets. Returns the link to the sign-in page. */
async function startSignIn(studio: Page): Promise<Locator> {
  await studio.getByRole("button", { name: "Sign in" }).click();
  const consent = studio.getByRole("dialog", { name: "Store the sign-in in a file?" });
  await expect(consent).toContainText("protects only against casual access");
  await consent.getByRole("button", { name: "Store in a file" }).click();
  await expect(studio.getByRole("timer")).toHaveText(/^[12]:\d\d left$/);
  return studio.getByRole("link", { name: "Open the sign-in page" });
}

const signedIn = async (studio: Page) => {
  await expect(studio.getByText(`Signed in as ${mara}.`)).toBeVisible();
  await expect(studio.getByRole("group", { name: "Credits" })).toContainText(/100,000.*Pro plan/);
};

test("signs in in the browser, creates keys, revokes one, and signs out", async ({ studio, service, account }) => {
  await setUp(studio, service);
  await accessible(studio, "signed out");
  const link = await startSignIn(studio);
  await accessible(studio, "waiting");
  const opened = studio.context().waitForEvent("page");
  await link.click();
  const tab = await opened;
  await tab.getByLabel("Email address or name").fill(mara);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await expect(tab.getByText("You are signed in. You can close this tab.")).toBeVisible();
  await tab.close();
  await signedIn(studio);
  await expect(studio.getByRole("link", { name: "100,000 credits. Open Account" })).toHaveText("100K");

  await studio.getByRole("button", { name: "Create a key for this machine" }).click();
  const own = studio.getByRole("row", { name: /This machine/ });
  await expect(own).toContainText("10% less");
  await studio.getByText("Advanced", { exact: true }).click();
  await expect(studio.getByText("Stored in an encrypted file in the data folder.")).toBeVisible();

  await studio.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await studio.getByRole("button", { name: "New key" }).click();
  await studio.getByRole("textbox", { name: "Name" }).fill("Render box");
  await studio.keyboard.press("Enter");
  await expect(studio.getByText("Copy the key now. It is not shown again.")).toBeVisible();
  await accessible(studio, "new key");
  await studio.getByRole("button", { name: "Copy key" }).click();
  const key = await studio.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^svc_sk_/);
  await studio.getByRole("button", { name: "Done" }).click();
  await expect(studio.getByText(key)).toHaveCount(0);
  const render = studio.getByRole("row", { name: /Render box/ });
  await expect(render).toContainText("Never");
  await accessible(studio, "signed in");

  await studio.getByRole("button", { name: "Revoke Render box" }).click();
  await studio.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await expect(render).toContainText("Revoked");
  const answer = await fetch(`${service.url}/api/v1/user/credits`, { headers: { "X-API-Key": key } });
  expect(answer.status).toBe(401);
  const { apiKeys } = await account.ask<{ apiKeys: { revokedAt: string | null }[] }>("GET", "/api/v1/user/api-keys");
  expect(apiKeys.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);

  await studio.getByRole("button", { name: "Test" }).click();
  await expect(studio.getByText("The API key is accepted.")).toBeVisible();
  await studio.getByRole("button", { name: "Sign out" }).click();
  await expect(studio.getByText("This machine uses the API key")).toBeVisible();
  await studio.getByRole("button", { name: "Forget key" }).first().click();
  await expect(studio.getByText("Nothing is stored yet.")).toBeVisible();
  await expect(studio.getByRole("link", { name: /credits/ })).toHaveCount(0);
});

test("signs in by a browser that cannot reach this machine, and keeps the last values while offline", async ({
  studio,
  service,
  account,
}) => {
  expect(account.name).toBe(mara);
  await setUp(studio, service);
  const link = await startSignIn(studio);
  const address = await browse((await link.getAttribute("href")) ?? "", mara);
  await studio.getByRole("button", { name: "Paste the address" }).click();
  await studio.getByRole("textbox", { name: "Address at which the browser ended" }).fill(address.href);
  await studio.getByRole("button", { name: "Finish signing in" }).click();
  await signedIn(studio);

  await open(studio, "settings/network");
  await studio.getByRole("switch", { name: "Offline mode" }).click();
  await open(studio, "account");
  await expect(studio.getByRole("group", { name: "Credits" })).toContainText("100,000");
  await studio.getByText("Advanced", { exact: true }).click();
  await studio.getByRole("button", { name: "Test" }).click();
  await expect(
    studio
      .getByRole("alert")
      .filter({ hasText: /offline/i })
      .first(),
  ).toBeVisible();
  await accessible(studio, "offline");

  await studio.evaluate(() => localStorage.setItem("voicewright.prefs", JSON.stringify({ language: "de" })));
  await studio.reload();
  await expect(studio.getByRole("heading", { name: "API-Schlüssel" })).toBeVisible();
  await expect(studio.getByRole("button", { name: "Abmelden" })).toBeVisible();
});

test("shows what was used on each of the last 30 days", async ({ studio, server, service, account }) => {
  await ask(server, "/settings", { "hosted.base_url": service.url, "secrets.allow_file": true }, "PUT");
  await ask(server, "/hosted/key", { key: await account.createKey("e2e") }, "PUT");
  await open(studio, "account");
  const usage = studio.getByRole("region", { name: "Usage in the last 30 days" });
  await expect(usage).toContainText("No calls in the last 30 days.");

  const { voices } = await account.ask<{ voices: { id: string; provider: string }[] }>("GET", "/api/v1/tts/voices");
  const voice = voices.find(({ provider }) => provider === "ProviderC")?.id ?? "";
  const ttsModel = "providerC-neural2";
  for (const text of ["The ferry leaves at nine.", "It is late."])
    await account.ask("POST", "/api/v1/tts/synthesize", { text, voice, ttsModel, title: text });
  const list = await account.ask<{ usage: { credits: number; characters: number }[] }>("GET", "/api/v1/user/usage");
  const sum = (name: "credits" | "characters") => list.usage.reduce((all, call) => all + call[name], 0);
  expect(sum("credits")).toBeGreaterThan(0);

  await open(studio, "studio");
  await studio.reload();
  await open(studio, "account");
  await expect(usage.getByRole("img", { name: `${String(sum("credits"))} in total` })).toBeVisible();
  const numbers = `2${String(sum("characters"))}${String(sum("credits"))}`;
  await expect(usage.getByRole("row").nth(1)).toHaveText(new RegExp(`^\\w+ \\d+, \\d+${numbers}$`));
  await expect(usage.getByRole("row").last()).toHaveText(`Total${numbers}`);
  await expect(usage.getByRole("row")).toHaveCount(32);
  await studio.emulateMedia({ colorScheme: "dark" });
  await accessible(studio, "usage, dark");
  await studio.emulateMedia({ colorScheme: "light" });
  await accessible(studio, "usage, light");

  await studio.setViewportSize({ width: 400, height: 600 });
  const table = usage.getByRole("region", { name: "Usage per day" });
  await table.focus();
  await studio.keyboard.press("End");
  await expect(usage.getByRole("row").last()).toBeInViewport();
  const overflow = await studio.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test("says of a service that lists no calls, and reads a list again that could not be read", async ({
  studio,
  server,
  service,
  account,
}) => {
  await ask(server, "/settings", { "hosted.base_url": service.url, "secrets.allow_file": true }, "PUT");
  await ask(server, "/hosted/key", { key: await account.createKey("e2e") }, "PUT");
  const answer = { status: 404, json: { error: "Not found" } };
  await studio.route(
    (url) => url.pathname === "/api/v1/user/usage",
    (route) => (answer.status === 200 ? route.continue() : route.fulfill(answer)),
  );
  await open(studio, "account");
  const usage = studio.getByRole("region", { name: "Usage in the last 30 days" });
  await expect(usage).toContainText("This hosted service doesn’t list your calls.");

  answer.status = 500;
  await open(studio, "studio");
  await studio.reload();
  await open(studio, "account");
  await expect(usage.getByRole("alert")).toBeVisible();
  await accessible(studio, "usage, failed");
  answer.status = 200;
  await usage.getByRole("button", { name: "Try again" }).click();
  await expect(usage).toContainText("No calls in the last 30 days.");
  await expect(usage.getByRole("alert")).toHaveCount(0);
});

test("keeps under Advanced how to sign in, and refuses what would change the sign-in itself", async ({
  studio,
  service,
}) => {
  await setUp(studio, service);
  await studio.getByText("Advanced", { exact: true }).click();
  const parameters = studio.getByRole("textbox", { name: "More parameters" });
  await parameters.fill("redirect_uri=https://evil.example");
  await parameters.press("Enter");
  await expect(studio.getByRole("alert")).toContainText("Enter a valid value");
  await parameters.fill("prompt=consent");
  await parameters.press("Enter");
  await expect(studio.getByRole("alert")).toHaveCount(0);
  await studio.getByRole("textbox", { name: "Scopes" }).fill("openid email");
  await studio.getByRole("switch", { name: "Use the ID token" }).click();
  await expect(studio.getByRole("switch", { name: "Use the ID token" })).toBeChecked();
  await accessible(studio, "advanced");
  const link = await startSignIn(studio);
  const asked = new URL((await link.getAttribute("href")) ?? "").searchParams;
  expect(asked.get("prompt")).toBe("consent");
  expect(asked.get("scope")).toBe("openid email");
  expect(asked.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test.describe("a service for those whom its operator lets in", () => {
  test.use({
    // eslint-disable-next-line no-empty-pattern
    service: async ({}, give) => {
      const service = await startService("--invited-only");
      await give(service);
      await service.stop();
    },
  });

  test("says whom to ask, and works once the operator has made an account", async ({ studio, service }) => {
    await setUp(studio, service);
    const link = await startSignIn(studio);
    const opened = studio.context().waitForEvent("page");
    await link.click();
    const tab = await opened;
    await tab.getByLabel("Email address or name").fill(mara);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await expect(tab.getByText("You are signed in. You can close this tab.")).toBeVisible();
    await tab.close();
    const alert = studio.getByRole("region", { name: "Signed in" }).getByRole("alert");
    await expect(alert).toContainText("The hosted service doesn’t allow this for your account.");
    await expect(alert).toContainText("ask the operator of the service to let you in");

    await service.operate("create", mara, "--plan", "pro");
    const credits = studio.getByRole("group", { name: "Credits" });
    const again = alert.getByRole("button", { name: "Try again" });
    await expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 1000 }); // the screen may have read again by itself
      await expect(credits).toContainText(/100,000.*Pro plan/, { timeout: 5000 });
    }).toPass();
    await expect(alert).toHaveCount(0);
  });
});
