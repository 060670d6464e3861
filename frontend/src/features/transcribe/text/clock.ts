/** Returns the seconds of a time such as "7", "1:23" or "1:02:03"; null if it is none. */
export function secondsOfClock(text: string): number | null {
  const parts = text.trim().split(":");
  if (parts.length > 3 || !parts.every((part, i) => /^\d{1,4}$/.test(part) && (i === 0 || Number(part) < 60)))
    return null;
  return parts.reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
