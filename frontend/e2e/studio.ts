import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";

export interface Server { url: string; token: string; stop(): Promise<void> }

async function start(data: string): Promise<Server> {
  const child: ChildProcess = spawn("../bin/voicewright", ["serve", "--addr", "127.0.0.1:0", "--json"], {
    env: { ...process.env, VOICEWRIGHT_DATA_DIR: data, HF_ENDPOINT: "http://127.0.0.1:9" }, stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the server ended")));
    child.stdout?.once("data", (bytes: Buffer) => resolve(bytes.toString()));
  });
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  return {
    url, token,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A server on an empty library, and a page that must stay with it and keep to its policy. */
export const test = base.extend<{ server: Server; studio: Page }>({
  // eslint-disable-next-line no-empty-pattern
  server: async ({}, give) => {
    const data = await mkdtemp(join(tmpdir(), "voicewright-e2e-"));
    const server = await start(data);
    await give(server);
    await server.stop();
    await rm(data, { recursive: true, force: true });
  },
  studio: async ({ page, server }, give) => {
    const faults: string[] = [];
    page.on("request", (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(`${server.url}/`)) faults.push(`outside: ${request.url()}`);
    });
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && message.text().includes("Content Security Policy")) faults.push(message.text());
    });
    await page.goto(`${server.url}/#token=${server.token}`);
    await give(page);
    expect(faults).toEqual([]);
  },
});

export { expect };
export const screens = ["studio", "voices", "history", "models", "script", "settings"] as const;

export async function open(page: Page, screen: string): Promise<void> {
  await page.evaluate((to) => { location.hash = `#/${to}`; }, screen);
}
