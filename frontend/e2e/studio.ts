import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page, type Request } from "@playwright/test";

/** How the program is started; every part may be left out. */
export interface Options {
  /** The port to listen on, for a second start in the place of the first; any free one when left out. */
  port?: number;
  /** The model hub (HF_ENDPOINT); without it nothing answers there. */
  hub?: string;
  /** More arguments of `serve`, for example "--offline". */
  args?: readonly string[];
  /** More variables of its environment. */
  env?: Readonly<Record<string, string>>;
  /** A command that runs the program, such as `unshare -rm`; its own words come first. */
  within?: readonly string[];
}

export interface Server {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  /** Its data directory. */
  readonly data: string;
  readonly pid: number;
  /** Lets it end by itself, as Ctrl+C does. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

const nobody = "http://127.0.0.1:9";

/** No program outlives the tests that started it. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts the real program on a data directory. Nothing of the user's own hub settings reaches it. */
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

/** The line in which a program says where it is. */
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

/** Sends a signal and waits for the end; a program that has ended already is left alone. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exited;
}

const waiting = new WeakMap<Page, Set<Request>>();

/** Watches a page: it must stay with its server, keep to the policy and throw nothing. The answer lists what it did not. */
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

/** A server on an empty library, and a page that must stay with it and keep to its policy. */
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
export const screens = ["studio", "voices", "history", "models", "script", "settings"] as const;

/** Goes to a screen ("history", "history?tab=scripts", "settings/network") and waits until it has what it shows. */
export async function open(page: Page, screen: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = `#/${to}`;
  }, screen);
  const link = page.locator(`.f-rail a[href="#/${screen.split(/[/?]/)[0] ?? ""}"]`);
  if ((await link.count()) > 0) await expect(link).toHaveAttribute("aria-current", "page"); // the script has no place of its own there
  await waitForPage(page);
}

/** Waits until a watched page shows its screen, and no request and no place holder is left. */
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
