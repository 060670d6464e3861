import { secondsOf } from "@/lib/durations";
import type { Format } from "@/i18n/format";

/** "10 minutes", "30 days": the largest unit that divides evenly. */
export function durationWords(value: string, format: Format): string {
  const all = secondsOf(value);
  if (all === null) return value;
  const [unit, size] = (
    [
      ["day", 86_400],
      ["hour", 3600],
      ["minute", 60],
      ["second", 1],
    ] as const
  ).find(([, s]) => all >= s && all % s === 0) ?? ["second", 1];
  return format.number(all / size, { style: "unit", unit, unitDisplay: "long" });
}

const pauses = ["0", "200ms", "350ms", "500ms", "700ms", "1s", "1500ms", "2s", "3s"];

const presets: Record<string, readonly string[]> = {
  "speech.sentence_pause": pauses,
  "speech.paragraph_pause": pauses,
  "speech.heading_pause": pauses,
  "speech.scene_pause": pauses,
  "models.idle_unload": ["0", "1m", "5m", "10m", "30m", "1h", "-1"],
  "history.retention": ["24h", "168h", "720h", "2160h", "8760h", "-1"],
};

/** Returns the options for a duration: always the current value, 0 and -1 only where they have a meaning. */
export function durationChoices(key: string, range: string, value: string): string[] {
  const offered = presets[key] ?? [
    "1m",
    "10m",
    "1h",
    "24h",
    ...(/\b0 =/.test(range) ? ["0"] : []),
    ...(range.includes("-1 =") ? ["-1"] : []),
  ];
  const known = offered.some((choice) => secondsOf(choice) === secondsOf(value));
  return known ? [...offered] : [value, ...offered];
}
