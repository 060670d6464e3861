const seconds: Record<string, number> = { ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 0.001, s: 1, m: 60, h: 3600 };
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** Returns the seconds of "1h30m", in all formats of the server; null if invalid. 0 and -1 have special meanings. */
export function secondsOf(value: string): number | null {
  if (/^[+-]?\d+$/.test(value)) return Number(value) === 0 ? 0 : value === "-1" ? -1 : null;
  const parts = [...value.matchAll(part)];
  if (parts.length === 0 || parts.map(([all]) => all).join("") !== value.replace(/^[+-]/, "")) return null;
  const sum = parts.reduce((all, [, n, unit]) => all + Number(n) * (seconds[unit ?? ""] ?? 0), 0);
  return value.startsWith("-") ? -sum : sum;
}
