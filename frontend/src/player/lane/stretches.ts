/** A stretch of a sound in which one of its speakers is heard, in seconds. Stretches of several speakers may overlap. */
export interface LaneTurn {
  start: number;
  end: number;
  /** The number of the speaker, from 0. */
  speaker: number;
}

/** A stretch as it is drawn, in pixels. */
export interface Stretch {
  x: number;
  width: number;
  /** 0, or 1 for a speaker who is heard while another one is. */
  row: 0 | 1;
  speaker: number;
}

/** Divides turns into those of the first row and those of the second one, which overlap others. */
function rowsOf(turns: readonly LaneTurn[]): [LaneTurn[], LaneTurn[]] {
  const rows: [LaneTurn[], LaneTurn[]] = [[], []];
  let end = 0;
  for (const turn of [...turns].sort((a, b) => a.start - b.start)) {
    if (turn.start >= end || rows[0].length === 0) {
      rows[0].push(turn);
      end = turn.end;
    } else rows[1].push(turn);
  }
  return rows;
}

/** Returns for each pixel who is heard there longest, -1 where nobody is. */
function columnsOf(turns: readonly LaneTurn[], pixelsPerSecond: number, width: number): Int32Array {
  const speakers = new Int32Array(width).fill(-1);
  const heard = new Float32Array(width);
  for (const { start, end, speaker } of turns) {
    const [from, to] = [Math.max(0, start * pixelsPerSecond), Math.min(width, end * pixelsPerSecond)];
    for (let x = Math.floor(from); x < to; x += 1) {
      const part = Math.min(to, x + 1) - Math.max(from, x);
      if (part <= (heard[x] ?? 0)) continue;
      heard[x] = part;
      speakers[x] = speaker;
    }
  }
  return speakers;
}

/** Returns the stretches to draw: hours of talk are not more than there are pixels. */
export function stretchesOf(turns: readonly LaneTurn[], duration: number, width: number): Stretch[] {
  if (duration <= 0 || width <= 0) return [];
  return rowsOf(turns).flatMap((row, at) => {
    const out: Stretch[] = [];
    let last: Stretch | null = null;
    columnsOf(row, width / duration, width).forEach((speaker, x) => {
      if (speaker >= 0 && last?.speaker === speaker) last.width += 1;
      else if (speaker < 0) last = null;
      else out.push((last = { x, width: 1, row: at as 0 | 1, speaker }));
    });
    return out;
  });
}

/** Returns the speakers who are heard at a time. */
export const heardAt = (turns: readonly LaneTurn[], seconds: number): number[] => [
  ...new Set(turns.filter(({ start, end }) => start <= seconds && seconds < end).map(({ speaker }) => speaker)),
];
