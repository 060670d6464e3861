import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page, type Request } from "@playwright/test";

/** Options for starting the program; all of them are optional. */
export interface Options {
  /** The port to listen on, for a restart on the same port; any free one if left out. */
  port?: number;
  /** The model hub (HF_ENDPOINT); without it no hub is reachable. */
  hub?: string;
  /** Additional arguments of `serve`, for example "--offline". */
  args?: readonly string[];
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>;
  /** A command that runs the program, such as `unshare -rm`; its own arguments come first. */
  within?: readonly string[];
}

export interface Server {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  /** Its data directory. */
  readonly data: string;
  readonly pid: number;
  /** Shuts it down, as Ctrl+C does. */
  stop(): Promise<void>;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
}

const nobody = "http://127.0.0.1:9";

/** No program outlives the tests that started it. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts the real program on a data directory. None of the user's own hub settings reach it. */
export async function start(data: string, options: Options = {}): Promise<Server> {
  const { port = 0, hub = nobody, args = [], env = {}, within = [] } = options;
  const [command = "", ...words] = [
    ...within,
    "../bin/voicewright",
    "serve",
    "--addr",
    `127.0.0.1:${String(port)}`,
    "--json",
    ...args,
  ];
  const child = spawn(command, words, {
    env: {
      ...process.env,
      HF_HOME: join(data, "huggingface"),
      HF_TOKEN: "",
      NO_PROXY: "127.0.0.1",
      ...env,
      VOICEWRIGHT_DATA_DIR: data,
      HF_ENDPOINT: hub,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const { url, token } = JSON.parse(await firstLine(child, "the server")) as { url: string; token: string };
  const end = (signal: NodeJS.Signals) => ended(child, signal);
  return {
    url,
    token,
    port: Number(new URL(url).port),
    data,
    pid: child.pid ?? 0,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** Finds the line in which the program prints its address. */
export function firstLine(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${name} ended before it said where it is`)));
    child.stdout?.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
  });
}

/** Sends a signal and waits for the exit; does nothing if the program has exited already. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exited;
}

const waiting = new WeakMap<Page, Set<Request>>();

/** Watches a page and returns its violations: other servers than its own, breaches of the policy, and exceptions. */
export function watch(page: Page, server: Pick<Server, "url">): readonly string[] {
  const faults: string[] = [];
  const open = new Set<Request>();
  waiting.set(page, open);
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(blob|data):/.test(url) && !url.startsWith(`${server.url}/`)) faults.push(`outside: ${url}`);
    if (!url.endsWith("/events") && request.resourceType() !== "media") open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && message.text().includes("Content Security Policy"))
      faults.push(`policy: ${message.location().url}:${String(message.location().lineNumber)} ${message.text()}`);
  });
  return faults;
}

interface Fixtures {
  /** How `server` is started: test.use({ options: { args: ["--offline"] } }). */
  options: Options;
  data: string;
  server: Server;
  studio: Page;
}

/** A server on an empty library, and a page that may contact only this server and must comply with its policy. */
export const test = base.extend<Fixtures>({
  options: [{}, { option: true }],
  // eslint-disable-next-line no-empty-pattern
  data: async ({}, give) => {
    const data = await mkdtemp(join(tmpdir(), "voicewright-e2e-"));
    await give(data);
    await rm(data, { recursive: true, force: true });
  },
  server: async ({ data, options }, give) => {
    const server = await start(data, options);
    await give(server);
    await server.stop();
  },
  studio: async ({ page, server }, give) => {
    const faults = watch(page, server);
    await page.goto(`${server.url}/#token=${server.token}`);
    await give(page);
    expect(faults).toEqual([]);
  },
});

export { expect };
export const screens = [
  "studio",
  "books",
  "voices",
  "history",
  "transcribe",
  "models",
  "script",
  "account",
  "settings",
] as const;

/** Opens a screen ("history", "history?tab=scripts", "settings/network") and waits until it has loaded. */
export async function open(page: Page, screen: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = `#/${to}`;
  }, screen);
  const link = page.locator(`.f-rail a[href="#/${screen.split(/[/?]/)[0] ?? ""}"]`);
  // The script is not in the rail.
  if ((await link.count()) > 0) await expect(link).toHaveAttribute("aria-current", "page");
  await waitForPage(page);
}

/** Waits until a watched page shows its screen, with no pending requests and no placeholders. */
export async function waitForPage(page: Page): Promise<void> {
  const asked = () => [...(waiting.get(page) ?? [])].map((request) => request.url());
  await expect(async () => {
    expect(asked()).toEqual([]);
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => {
            requestAnimationFrame(resolve);
          });
        }),
    );
    await expect(page.locator(".f-view > *").first()).toBeVisible({ timeout: 1000 });
    await expect(page.locator("main .k-skel, main [aria-busy=true]")).toHaveCount(0, { timeout: 1000 });
    expect(asked()).toEqual([]);
  }).toPass({ timeout: 60_000 });
}
