import type { ScriptContent, Speaker, Turn } from "./model";

/** The part of a script that a person wrote, which undo restores. Its audio stays as it is. */
export type Written = Pick<ScriptContent, "title" | "gapMs" | "speakers" | "turns">;
export interface Place {
  id: string;
  caret: number;
}

const sameTurn = (a: Turn, b: Turn | undefined): boolean =>
  a === b || (a.id === b?.id && a.speakerId === b.speakerId && a.text === b.text);

const sameSpeaker = (a: Speaker, b: Speaker | undefined): boolean =>
  a === b || (a.id === b?.id && a.name === b.name && a.profileId === b.profileId && a.hue === b.hue);
const sameList = <T>(a: readonly T[], b: readonly T[], same: (one: T, other: T | undefined) => boolean): boolean =>
  a === b || (a.length === b.length && a.every((one, i) => same(one, b[i])));

export const sameWritten = (a: Written, b: Written): boolean =>
  a.title === b.title &&
  a.gapMs === b.gapMs &&
  sameList(a.speakers, b.speakers, sameSpeaker) &&
  sameList(a.turns, b.turns, sameTurn);

/** Returns the key of the one text that differs, so that typing in it is one step; null if more has changed. */
export function typedIn(before: Written, now: Written): string | null {
  if (before.turns.length !== now.turns.length || before.speakers.length !== now.speakers.length) return null;
  const changed = now.turns.filter((turn, i) => !sameTurn(turn, before.turns[i]));
  const isText = changed.every((turn) => before.turns.some((b) => b.id === turn.id && b.speakerId === turn.speakerId));
  if (changed.length === 0) return before.title !== now.title ? "title" : before.gapMs !== now.gapMs ? "gap" : "cast";
  return changed.length === 1 && isText ? (changed[0]?.id ?? null) : null;
}

/** Returns an earlier state of the texts, with the current audio of the turns. */
export function restoreWritten(now: ScriptContent, { title, gapMs, speakers, turns }: Written): ScriptContent {
  const present = new Map(now.turns.map((turn) => [turn.id, turn]));
  const withSound = turns.map((turn) => {
    const same = present.get(turn.id);
    return same ? { ...turn, spoken: same.spoken } : turn;
  });
  return { ...now, title, gapMs, speakers, turns: withSound };
}

/** Returns where the part of a text ends that differs from the other. */
function endOfDifference(text: string, other: string): number {
  const max = Math.min(text.length, other.length);
  let start = 0;
  while (start < max && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < max - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return text.length - end;
}

/** Returns where the cursor goes when `next` replaces `now`: after the restored text; null if no turn differs. */
export function placeOf(now: Written, next: Written): Place | null {
  for (const turn of next.turns) {
    const other = now.turns.find((t) => t.id === turn.id);
    if (other?.text !== turn.text)
      return { id: turn.id, caret: other ? endOfDifference(turn.text, other.text) : turn.text.length };
  }
  const at = now.turns.findIndex((turn, i) => !sameTurn(turn, next.turns[i]));
  const turn = at < 0 ? undefined : next.turns[Math.min(at, next.turns.length - 1)];
  return turn ? { id: turn.id, caret: turn.text.length } : null;
}
