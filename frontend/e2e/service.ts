import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ended, firstLine } from "./studio";

const program = "../bin/voicewright-service";
const run = promisify(execFile);

/** An account of the service, signed in without the app. */
export interface Account {
  readonly name: string;
  /** Calls the hosted API with the sign-in. */
  ask<Body>(method: string, path: string, body?: object): Promise<Body>;
  /** Creates an API key and returns its text. */
  createKey(name: string): Promise<string>;
}

/** The real hosted service with its own sign-in page, on a database of its own. */
export interface Service {
  readonly url: string;
  /** Creates an account on a plan. Its name is what its owner enters on the sign-in page. */
  account(name: string, plan: "free" | "pro" | "max"): Promise<Account>;
  /** 0 days: a plan that has just expired. */
  setPlan(name: string, plan: "free" | "pro" | "max", days?: number): Promise<void>;
  addCredits(name: string, credits: number): Promise<void>;
  /** Runs a command on accounts: `operate("disable", name)`. */
  operate(...words: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Returns where a response redirects to. */
async function follow(url: string | URL, init: RequestInit = {}): Promise<URL> {
  const answer = await fetch(url, { ...init, redirect: "manual" });
  const to = answer.headers.get("Location");
  if (!to) throw new Error(`${String(url)} redirects nowhere: ${String(answer.status)} ${await answer.text()}`);
  return new URL(to, url);
}

/** Enters a name on the sign-in page as a browser does, and returns the address at which it ends. */
export async function browse(authorization: string, name: string): Promise<URL> {
  const page = await follow(authorization);
  return follow(await follow(page, { method: "POST", body: new URLSearchParams({ name }) }));
}

/** Signs in as a browser and the app do together, and returns an access token. */
async function signIn(service: string, name: string): Promise<string> {
  const issuer = `${service}/dev-idp`;
  const verifier = randomBytes(32).toString("base64url");
  const client = { client_id: "voicewright", redirect_uri: "http://127.0.0.1/done" };
  const request = new URLSearchParams({
    ...client,
    response_type: "code",
    scope: "openid email",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const done = await browse(`${issuer}/authorize?${request.toString()}`, name);
  const body = new URLSearchParams({
    ...client,
    grant_type: "authorization_code",
    code: done.searchParams.get("code") ?? "",
    code_verifier: verifier,
  });
  const answer = await fetch(`${issuer}/oauth/token`, { method: "POST", body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

export async function startService(...settings: string[]): Promise<Service> {
  const data = await mkdtemp(join(tmpdir(), "voicewright-e2e-service-"));
  const database = `sqlite:${join(data, "service.db")}`;
  const args = [
    "run",
    "--dev-idp",
    "--addr",
    "127.0.0.1:0",
    "--database",
    database,
    "--files",
    join(data, "files"),
    ...settings,
  ];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
  process.once("exit", () => child.kill("SIGKILL")); // no program outlives the tests that started it
  const url = (await firstLine(child, "the hosted service")).replace("listening on ", "");
  const operate = async (...words: string[]) => {
    await run(program, ["account", ...words, "--database", database]);
  };
  const setPlan: Service["setPlan"] = (name, plan, days = 30) =>
    operate("set-plan", name, plan, "--days", String(days));
  return {
    url,
    setPlan,
    operate,
    addCredits: (name, credits) => operate("add-credits", name, String(credits)),
    async account(name, plan) {
      const token = await signIn(url, name);
      const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
        const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
        const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
        if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${await answer.text()}`);
        return (await answer.json()) as Body;
      };
      await ask("GET", "/api/v1/user/credits"); // the first call creates the account
      if (plan !== "free") await setPlan(name, plan);
      const createKey = async (label: string) =>
        (await ask<{ key: string }>("POST", "/api/v1/user/api-keys", { name: label })).key;
      return { name, ask, createKey };
    },
    async stop() {
      await ended(child, "SIGTERM");
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** A way to a service on which the answer of the first call of speech gets lost after the service has given it. */
export interface Way {
  readonly url: string;
  /** How many calls of speech came. */
  calls(): number;
  stop(): Promise<void>;
}

export async function loseFirstAnswer(service: string): Promise<Way> {
  let calls = 0;
  const server = createServer((asked, answer) => {
    const path = asked.url ?? "/";
    const lost = path.startsWith("/api/v1/tts/synthesize") && ++calls === 1;
    const on = request(new URL(path, service), { method: asked.method, headers: asked.headers }, (given) => {
      if (lost) {
        given.resume().on("end", () => asked.socket.destroy());
        return;
      }
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    on.on("error", () => asked.socket.destroy());
    asked.pipe(on);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    calls: () => calls,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => {
          stopped();
        });
        server.closeAllConnections();
      }),
  };
}
