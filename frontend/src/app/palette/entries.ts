import type { ReactNode } from "react";
import * as v from "valibot";
import { fold } from "@/lib/fold";
import { storedValue } from "@/lib/storedValue";

export const groups = ["recent", "commands", "screens", "settings", "drafts", "models", "voices", "history"] as const;
export type GroupName = (typeof groups)[number];

/** An entry that can be found and run. */
export interface PaletteEntry {
  /** Stable, so that the entry is recognised as a recent one. */
  id: string;
  group: GroupName;
  title: string;
  /** The title as it is rendered, where it is more than text. */
  shown?: ReactNode;
  /** Secondary text. */
  note?: ReactNode;
  /** Additional search terms. */
  words?: string;
  icon: ReactNode;
  shortcut?: string;
  run(): void;
}

export interface PaletteGroup {
  name: GroupName;
  entries: PaletteEntry[];
}

export const wordsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/** Returns how well an entry matches, 0 is best; null if a word is missing. */
function fit({ title, words = "" }: PaletteEntry, query: readonly string[]): number | null {
  const name = fold(title);
  const all = `${name} ${fold(words)}`;
  if (!query.every((word) => all.includes(word))) return null;
  if (name.startsWith(query.join(" "))) return 0;
  if (query.every((word) => ` ${name}`.includes(` ${word}`))) return 1;
  return query.every((word) => name.includes(word)) ? 2 : 3;
}

const max: Partial<Record<GroupName, number>> = { settings: 6, drafts: 5, models: 5 };

/** Returns the matching entries, best first; groups are ordered by their best entry, so that Enter runs the best. */
export function findEntries(entries: readonly PaletteEntry[], query: string): PaletteGroup[] {
  const words = wordsOf(query);
  const fits = entries
    .flatMap((entry) => {
      const value = fit(entry, words);
      return value === null ? [] : [{ entry, value }];
    })
    .sort((a, b) => a.value - b.value);
  const names = [...new Set(fits.map(({ entry }) => entry.group))];
  const best = new Map(names.map((name) => [name, fits.find(({ entry }) => entry.group === name)?.value ?? 3]));
  names.sort((a, b) => (best.get(a) ?? 3) - (best.get(b) ?? 3) || groups.indexOf(a) - groups.indexOf(b));
  return names.map((name) => ({
    name,
    entries: fits
      .filter(({ entry }) => entry.group === name)
      .map(({ entry }) => entry)
      .slice(0, max[name] ?? Infinity),
  }));
}

const maxRecents = 5;
const maxStored = 20;
const recents = storedValue("voicewright.palette", v.array(v.string()), []);

/** Stores an entry as the most recent one. */
export function addRecent(id: string): void {
  recents.write([id, ...recents.read().filter((other) => other !== id)].slice(0, maxStored));
}

/** The entries for an empty query: recent ones, then commands, then screens. */
export function firstEntries(entries: readonly PaletteEntry[]): PaletteGroup[] {
  const recent = recents
    .read()
    .flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
    .slice(0, maxRecents);
  const left = entries.filter((entry) => !recent.includes(entry));
  const of = (name: GroupName) => ({ name, entries: left.filter((entry) => entry.group === name) });
  return [{ name: "recent" as const, entries: recent }, of("commands"), of("screens")].filter(
    (group) => group.entries.length > 0,
  );
}
