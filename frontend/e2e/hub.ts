import { spawn } from "node:child_process";
import { ended, firstLine, test as base } from "./studio";

/** A fault of the test hub; see build/testhub. */
export interface Fault {
  kind: "cut" | "stall" | "slow" | "corrupt" | "status";
  /** The file; all files if left out. */
  path?: string;
  /** At the hub itself, else at the storage server to which it redirects for large files. */
  hub?: boolean;
  /** The number of requests that fail; all if left out. */
  times?: number;
  offsets?: readonly number[];
  piece?: number;
  pause?: number;
  status?: number;
}

export interface Asked {
  Method: string;
  Path: string;
  Storage: boolean;
  Range: string;
  Status: number;
  Bytes: number;
}

export interface Hub {
  readonly url: string;
  fault(fault: Fault): Promise<void>;
  /** Removes all faults. */
  heal(): Promise<void>;
  /** Returns the program's requests for a file, in order. */
  asked(path: string): Promise<readonly Asked[]>;
  stop(): Promise<void>;
}

/** The large file of the only downloadable voice, and its size. */
export const graph = { path: "en/en_US/tone/medium/en_US-tone-medium.onnx", bytes: 24_000_000 };

/** A model hub on this machine. */
export async function startHub(): Promise<Hub> {
  const child = spawn("bin/testhub", ["-size", String(graph.bytes)], { cwd: "..", stdio: ["pipe", "pipe", "inherit"] });
  const { hub, control } = JSON.parse(await firstLine(child, "the test hub")) as { hub: string; control: string };
  async function ask(method: string, path: string, body?: Fault): Promise<Response> {
    const answer = await fetch(control + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!answer.ok) throw new Error(`the test hub: ${await answer.text()}`);
    return answer;
  }
  return {
    url: hub,
    fault: async (fault) => {
      await ask("POST", "/faults", fault);
    },
    heal: async () => {
      await ask("DELETE", "/faults");
    },
    asked: async (path) => (await (await ask("GET", `/requests?path=${encodeURIComponent(path)}`)).json()) as Asked[],
    stop: () => ended(child, "SIGTERM"),
  };
}

/** A server whose model hub is this one. */
export const test = base.extend<{ hub: Hub }>({
  // eslint-disable-next-line no-empty-pattern
  hub: async ({}, give) => {
    const hub = await startHub();
    await give(hub);
    await hub.stop();
  },
  options: async ({ hub }, give) => give({ hub: hub.url }),
});
