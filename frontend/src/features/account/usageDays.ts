import { usageDays, type AccountUsage } from "@/api/usage";

/** What the calls of one day used, or those of several. */
export interface Used {
  calls: number;
  characters: number;
  credits: number;
}

export interface UsedDay extends Used {
  /** As 2026-11-29, in the time zone of the user. */
  day: string;
}

export interface UsageSummary {
  /** The last days, the oldest first. */
  days: UsedDay[];
  total: Used;
  /** How many of the calls were refunded, and how many are in progress. */
  refunded: number;
  held: number;
  /** The day of the oldest call where days before it are unknown, because the list was cut. */
  knownFrom: string | null;
}

/** Returns the calendar day of an instant in a time zone, that of the system unless one is named. */
function dayIn(zone?: string): (when: Date) => string {
  const format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (when) => {
    const parts = Object.fromEntries(format.formatToParts(when).map(({ type, value }) => [type, value]));
    return `${parts.year}-${parts.month}-${parts.day}`;
  };
}

/** Returns the calendar days up to one. Days of UTC are all of the same length. */
function daysUpTo(last: string): string[] {
  return Array.from({ length: usageDays }, (_, i) => {
    const day = new Date(`${last}T00:00:00Z`);
    day.setUTCDate(day.getUTCDate() - (usageDays - 1 - i));
    return day.toISOString().slice(0, 10);
  });
}

const nothing: Used = { calls: 0, characters: 0, credits: 0 };

const add = <D extends Used>(sum: D, { calls, characters, credits }: Used): D => ({
  ...sum,
  calls: sum.calls + calls,
  characters: sum.characters + characters,
  credits: sum.credits + credits,
});

/** Returns calls by the day of their beginning. A refunded call counts, and costs nothing. */
export function summaryOf({ calls, isCut }: AccountUsage, now: Date, zone?: string): UsageSummary {
  const dayOf = dayIn(zone);
  const today = dayOf(now);
  const days = new Map(daysUpTo(today).map((day) => [day, { day, ...nothing }]));
  const known = { refunded: 0, held: 0 };
  let oldest = today;
  for (const { createdAt, characters, credits, status } of calls) {
    const begun = dayOf(new Date(createdAt));
    const day = begun > today ? today : begun; // the clock of the service may be ahead
    if (day < oldest) oldest = day;
    const sum = days.get(day);
    if (!sum) continue;
    days.set(day, add(sum, { calls: 1, characters, credits: status === "refunded" ? 0 : credits }));
    if (status !== "charged") known[status] += 1;
  }
  const list = [...days.values()];
  return {
    days: list,
    total: list.reduce<Used>(add, nothing),
    ...known,
    knownFrom: isCut && days.has(oldest) ? oldest : null,
  };
}

/** Returns noon of a calendar day in the time zone of the system, which every day has. */
export function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00`);
}
