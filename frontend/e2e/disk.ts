import { spawnSync } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** A small disk for a data directory. */
export interface Disk {
  /** The command that runs the program; see Options. */
  within: readonly string[];
  /** Returns the path of the directory on this side, for a program with this process id. */
  seen(pid: number): string;
  close(): void;
}

const runs = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

/** Mounts a file system of that many MB over a directory: for all processes if permitted, else for the program. */
export function smallDisk(folder: string, megabytes: number): Disk {
  const size = `size=${String(megabytes)}m`;
  if (runs("mount", "-t", "tmpfs", "-o", size, "voicewright-e2e", folder)) {
    return {
      within: [],
      seen: () => folder,
      close: () => {
        spawnSync("umount", ["-l", folder]);
      },
    };
  }
  const own = ["unshare", "--user", "--map-root-user", "--mount"];
  if (!runs("unshare", ...own.slice(1), "mount", "-t", "tmpfs", "none", folder)) {
    throw new Error(
      "This test needs a small file system of its own: run it on Linux as root, or where `unshare -rm` may mount a tmpfs.",
    );
  }
  const script = 'mount -t tmpfs -o "$1" none "$2" && shift 2 && exec "$@"';
  return {
    within: [...own, "sh", "-c", script, "sh", size, folder],
    seen: (pid) => join("/proc", String(pid), "root", folder),
    close: () => undefined,
  };
}

/** Leaves only so many bytes free on a disk; the returned function reverses that. */
export async function crowd(folder: string, leave: number): Promise<() => Promise<void>> {
  const name = join(folder, "ballast");
  const file = await open(name, "w");
  let written = 0;
  const piece = Buffer.alloc(64 * 1024);
  try {
    for (;;) written += (await file.write(piece)).bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
  await file.truncate(Math.max(0, written - leave));
  await file.close();
  return () => rm(name);
}
