/** The end of a job that the event stream reported. */
export interface JobEnd {
  kind: "generation" | "transcript" | "download";
  /** Of the generation or transcript; the name of the model of a download. */
  id: string;
  outcome: "done" | "failed" | "stopped";
}

const outcomes: Readonly<Record<string, JobEnd["outcome"]>> = {
  complete: "done",
  failed: "failed",
  error: "failed",
  cancelled: "stopped",
  idle: "stopped",
  paused: "stopped",
};

const running = new Set<string>();
const listeners = new Set<(end: JobEnd) => void>();

/** Notes the status of a job. Its end is reported once, and only if it was seen running. */
export function noteStatus(kind: JobEnd["kind"], id: string, status: string): void {
  const job = `${kind} ${id}`;
  const outcome = outcomes[status];
  if (outcome === undefined) running.add(job);
  else if (running.delete(job)) for (const listener of [...listeners]) listener({ kind, id, outcome });
}

/** Reports whether jobs of a kind are running. */
export const isRunning = (kind: JobEnd["kind"]): boolean => [...running].some((job) => job.startsWith(`${kind} `));

/** Calls the listener at the end of each job until the returned function is called. */
export function onJobEnd(listener: (end: JobEnd) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
