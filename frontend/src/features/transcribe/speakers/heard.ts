import type { Segment, Transcript } from "@/api/types";

type Turn = Transcript["turns"][number];

/**
 * Returns who is heard when, as the export of turns has it: what was found, and in the time of lines that a person set their speaker.
 * Where nothing was found, the lines are the turns.
 */
export function heardTurns(segments: readonly Segment[], found: readonly Turn[]): Turn[] {
  const isSet = ({ speaker, speaker_found, start, end }: Segment) =>
    speaker !== "" && end > start && !(found.length > 0 && speaker_found);
  const set = segments
    .filter(isSet)
    .map(({ start, end, speaker }) => ({ start, end, speaker }))
    .sort((a, b) => a.start - b.start);
  let first = 0; // of those that were set, the first one that may reach into the turn
  const remaining = [...found]
    .sort((a, b) => a.start - b.start)
    .flatMap((turn) => {
      while (first < set.length && (set[first]?.end ?? 0) <= turn.start) first += 1;
      return without(turn, set, first);
    });
  return [...remaining, ...set].sort((a, b) => a.start - b.start);
}

/** Returns the parts of a turn outside of others, which are sorted. */
function without(turn: Turn, others: readonly Turn[], first: number): Turn[] {
  const parts: Turn[] = [];
  let at = turn.start;
  for (let i = first; i < others.length; i += 1) {
    const other = others[i];
    if (!other || other.start >= turn.end) break;
    if (other.start > at) parts.push({ ...turn, start: at, end: other.start });
    at = Math.max(at, other.end);
  }
  if (at < turn.end) parts.push({ ...turn, start: at });
  return parts;
}
