import { useMemo } from "react";
import { useTranslation } from "react-i18next";

export interface Format {
  number(value: number, options?: Intl.NumberFormatOptions): string;
  percent(part: number): string;
  /** 1 MB = 1,000,000 bytes, as everywhere in Voicewright. */
  bytes(bytes: number): string;
  megabytes(mb: number): string;
  /** 0:07, 1:23, 1:02:03: for positions and lengths of audio. */
  clock(seconds: number): string;
  /** The length of finished audio as a clock, with tenths below a second: 0:00.7. */
  length(seconds: number): string;
  /** 0:07–0:12; with tenths where asked for, and where the two would be equal: 0:00.2–0:00.8. */
  span(from: number, to: number, withTenths?: boolean): string;
  /** "8 s", "2 min", "3 h": for durations. */
  duration(seconds: number): string;
  date(when: string | Date): string;
  time(when: string | Date): string;
  dateTime(when: string | Date): string;
  /** 28/11/2026: for narrow columns. */
  shortDate(when: string | Date): string;
  /** Today, yesterday, else the date: for groups of a list. */
  day(when: string | Date): string;
  /** "3 minutes ago", for the recent past. */
  ago(when: string | Date): string;
  list(words: readonly string[]): string;
  /** Returns the name of a language from its BCP 47 tag, with its country where that adds information. */
  language(tag: string): string;
}

/** Languages of our models that browsers have no name for. */
const unnamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { ba: "Bashkir", bo: "Tibetan" },
  de: { ba: "Baschkirisch", bo: "Tibetisch" },
};

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const dayMs = 86_400_000;

function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function startOfDay(when: Date): number {
  return new Date(when.getFullYear(), when.getMonth(), when.getDate()).getTime();
}

/** Languages with several countries here: their country is always shown. */
const byCountry: readonly string[] = ["en", "es", "pt"];

/** Returns the tag without a redundant country: de-DE is de, while de-AT and en-US stay. */
function sayingTag(tag: string): string {
  const { language, region, script } = new Intl.Locale(tag);
  const likely = new Intl.Locale(language).maximize();
  return region === likely.region && (script ?? likely.script) === likely.script && !byCountry.includes(language)
    ? language
    : tag;
}

/** Returns the maximized tag, for comparing two of them: en and en-US are the same. */
function wholeTag(tag: string): string {
  try {
    return new Intl.Locale(tag).maximize().toString();
  } catch {
    return tag; // not a tag that the browser can parse
  }
}

/** Returns each language of a list once, by name. Of equivalent tags the current one is kept, else the fullest. */
export function languageChoices(
  tags: Iterable<string>,
  nameOf: (tag: string) => string,
  present = "",
): { value: string; label: string }[] {
  const chosen = new Map<string, string>();
  for (const tag of tags) {
    const before = chosen.get(wholeTag(tag));
    if (tag === present || before === undefined || (before !== present && tag.length > before.length))
      chosen.set(wholeTag(tag), tag);
  }
  return [...chosen.values()]
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** Returns the country of the first tag that has or implies one; undefined if there is none. */
function countryOf(tags: readonly string[]): string | undefined {
  for (const tag of tags) {
    try {
      const locale = new Intl.Locale(tag);
      const country = locale.region ?? (byCountry.includes(locale.language) ? undefined : locale.maximize().region);
      if (country) return country;
    } catch {
      // not a tag that the browser can parse
    }
  }
  return undefined;
}

/** Returns the locale of English dates in a country: its own, else that of the world with the country's hours, 12 or 24. */
function englishDates(country: string): string {
  const own = `en-${country}`;
  if (new Intl.DateTimeFormat(own).resolvedOptions().locale === own) return own;
  const local = new Intl.Locale(`und-${country}`).maximize().toString();
  const { hourCycle } = new Intl.DateTimeFormat(local, { timeStyle: "short" }).resolvedOptions();
  return `en-001-u-hc-${hourCycle ?? "h23"}`;
}

/**
 * Returns the locales of numbers and of dates for a language of the interface, which has no country: dates and times are
 * those of the country that the browser prefers, also where its language is another one. Numbers follow the country only in
 * its own language, because "31.095 words" would be misread in an English sentence.
 */
export function localesOf(language: string, offered: readonly string[] = navigator.languages) {
  const country = language.includes("-") ? undefined : countryOf(offered);
  if (country === undefined) return { numbers: language, dates: language };
  const regional = `${language}-${country}`;
  return {
    numbers: offered[0]?.split("-")[0] === language ? regional : language,
    dates: language === "en" ? englishDates(country) : regional,
  };
}

// Made once: lists and the editor format many numbers while they scroll.
const numberFormats = new Map<string, Intl.NumberFormat>();

function plainNumber(locale: string): Intl.NumberFormat {
  const known = numberFormats.get(locale) ?? new Intl.NumberFormat(locale);
  numberFormats.set(locale, known);
  return known;
}

/**
 * Returns a value as a text of the interface contains it: numbers in its language, unless the text asks for `plain` digits, as
 * a seed that is typed elsewhere has.
 */
export function textValue(value: unknown, format?: string, language = "en"): string {
  if (typeof value !== "number") return value as string;
  if (format === "plain") return String(value);
  return plainNumber(localesOf(language).numbers).format(value);
}

export function makeFormat(language: string, offered?: readonly string[]): Format {
  const locales = localesOf(language, offered);
  const number = (value: number, options?: Intl.NumberFormatOptions) =>
    (options ? new Intl.NumberFormat(locales.numbers, options) : plainNumber(locales.numbers)).format(value);
  const unit = (value: number, name: string, digits = 0) =>
    number(value, { style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: digits });
  function stamp(options: Intl.DateTimeFormatOptions) {
    let format: Intl.DateTimeFormat | undefined; // once, and only where it is used: it is slow to create
    return (when: string | Date) => {
      format ??= new Intl.DateTimeFormat(locales.dates, options);
      return format.format(new Date(when));
    };
  }
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const date = stamp({ dateStyle: "medium" });
  const fullDate = stamp({ weekday: "long", day: "numeric", month: "long", year: "numeric" });

  function bytes(value: number): string {
    // "0 byte" is the short form.
    if (value < 1000) return number(value, { style: "unit", unit: "byte", unitDisplay: "long" });
    const step = Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
    const shown = value / 1000 ** step;
    return unit(shown, units[step] ?? "byte", shown < 10 && step > 1 ? 1 : 0);
  }
  // The unit symbols are the same in all our languages; "sec" and "Sek." are longer and would add a second form.
  const time = (value: number, sign: "s" | "min" | "h", digits = 0) =>
    `${number(value, { maximumFractionDigits: digits })}\u00a0${sign}`;
  function tenths(seconds: number): string {
    const rounded = Math.round(seconds * 10);
    return clock(rounded / 10) + number((rounded % 10) / 10, { minimumFractionDigits: 1 }).slice(1);
  }
  function span(from: number, to: number, withTenths = false): string {
    const show = withTenths || clock(from) === clock(to) ? tenths : clock;
    return `${show(from)}–${show(to)}`;
  }
  function duration(seconds: number): string {
    if (seconds < 90) return time(Math.max(1, Math.round(seconds)), "s");
    if (seconds < 5400) return time(Math.round(seconds / 60), "min");
    return time(seconds / 3600, "h", 1);
  }
  function day(when: string | Date): string {
    const days = Math.round((startOfDay(new Date(when)) - startOfDay(new Date())) / dayMs);
    if (days > -2 && days <= 0) return relative.format(days, "day");
    return fullDate(when);
  }
  function ago(when: string | Date): string {
    const seconds = (new Date(when).getTime() - Date.now()) / 1000;
    if (seconds > -60) return relative.format(0, "minute");
    if (seconds > -3600) return relative.format(Math.round(seconds / 60), "minute");
    if (seconds > -86_400) return relative.format(Math.round(seconds / 3600), "hour");
    return date(when);
  }
  function languageName(tag: string): string {
    try {
      const name = (style: "long" | "short") =>
        new Intl.DisplayNames(language, { type: "language", style }).of(sayingTag(tag)) ?? tag;
      const long = name("long");
      if (long === tag) return unnamed[language.split("-")[0] ?? ""]?.[tag] ?? tag;
      return long.includes("(") ? name("short") : long; // a country in brackets in its short form: USA
    } catch {
      return tag; // not a tag that the browser can parse
    }
  }
  return {
    number,
    bytes,
    clock,
    length: (seconds) => (seconds > 0 && seconds < 1 ? tenths(Math.max(0.1, seconds)) : clock(seconds)),
    span,
    duration,
    date,
    day,
    ago,
    percent: (part) => number(part, { style: "percent", maximumFractionDigits: 0 }),
    megabytes: (mb) => bytes(mb * 1_000_000),
    time: stamp({ timeStyle: "short" }),
    dateTime: stamp({ dateStyle: "medium", timeStyle: "short" }),
    shortDate: stamp({ dateStyle: "short" }),
    list: (words) => new Intl.ListFormat(language, { type: "conjunction" }).format(words),
    language: languageName,
  };
}

/** Numbers, sizes, times and dates in the person's language and country. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => makeFormat(i18n.language), [i18n.language]);
}
