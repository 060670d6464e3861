import type { Generation } from "@/api/types";
import type { Live } from "./live";

/** Called once when what is heard was played to its end. */
type Next = (() => void) | undefined;

/** The element plays the file of the loaded sound, if one is loaded. */
export interface FilePhase {
  kind: "file";
  /** When its address was last renewed, in milliseconds. */
  renewedAt: number;
  onPlayed: Next;
}

/** A generation plays in place of the element while it is made, or what was finished of one. */
export interface LivePhase {
  kind: "live";
  live: Live;
  /** The file from before the change, while a change of the text is followed. */
  former: string | undefined;
  stopGrowth(): void;
  onPlayed: Next;
}

/** The generation is complete, and plays as it was made until its file goes on. */
export interface ChangingPhase {
  kind: "changing";
  live: Live;
  former: string | undefined;
  stopChange(): void;
  onPlayed: Next;
}

/** What is heard, and seen in the bar. */
export type Heard = FilePhase | LivePhase | ChangingPhase;

/** A generation that has no samples yet; what was heard plays on until it has. */
export interface AwaitedPhase {
  kind: "awaited";
  live: Live;
  heard: Heard;
  /** What to do when it is complete without having been heard. */
  onMade(generation: Generation): void;
  onPlayed: Next;
}

export type Phase = Heard | AwaitedPhase;

export const file = (onPlayed?: Next, renewedAt = 0): FilePhase => ({ kind: "file", renewedAt, onPlayed });

export const heardIn = (phase: Phase): Heard => (phase.kind === "awaited" ? phase.heard : phase);

/** Returns what plays in place of the element; null if that plays. */
export function liveIn(phase: Phase): Live | null {
  const heard = heardIn(phase);
  return heard.kind === "file" ? null : heard.live;
}

/** Reports whether a generation is awaited or heard by `live`. */
export const isFollowedIn = (phase: Phase, live: Live): boolean =>
  liveIn(phase) === live || (phase.kind === "awaited" && phase.live === live);

/** Ends what the phase of a sound does by itself. The same `live` may go on in the next one. */
function leave(heard: Heard, next: Heard): void {
  if (heard.kind === "live") heard.stopGrowth();
  if (heard.kind === "changing") heard.stopChange();
  if (heard.kind !== "file" && (next.kind === "file" || next.live !== heard.live)) heard.live.close();
}

/** Lets another sound be heard, or the same one in another phase. What is awaited stays so. */
export function hear(phase: Phase, next: Heard): Phase {
  leave(heardIn(phase), next);
  return phase.kind === "awaited" ? { ...phase, heard: next } : next;
}

/** Lets the sound that is heard be followed by something else. */
export function followedBy(phase: Phase, onPlayed: Next): Phase {
  const heard = { ...heardIn(phase), onPlayed };
  return phase.kind === "awaited" ? { ...phase, heard } : heard;
}

/** Awaits a generation, and none that was awaited before, while the same is heard as before. */
export function awaiting(phase: Phase, next: Omit<AwaitedPhase, "kind" | "heard">): AwaitedPhase {
  return { kind: "awaited", heard: unawaited(phase), ...next };
}

/** Awaits nothing any more. */
export function unawaited(phase: Phase): Heard {
  if (phase.kind === "awaited") phase.live.close();
  return heardIn(phase);
}

/** Lets the generation that was awaited be heard. `former` is the file from before the change of which it is a part. */
export function begin({ live, heard, onPlayed }: AwaitedPhase, former: string | undefined): LivePhase {
  const next: LivePhase = { kind: "live", live, former, onPlayed, stopGrowth: () => undefined };
  leave(heard, next);
  return next;
}

/** Returns the phase in which the complete generation goes on with its file; `stopChange` prevents it. */
export const changing = ({ live, former, onPlayed }: LivePhase, stopChange: () => void): ChangingPhase => ({
  kind: "changing",
  live,
  former,
  stopChange,
  onPlayed,
});
