import { finds } from "@/lib/fold";
import {
  Activity,
  AudioLines,
  BookA,
  Cpu,
  Database,
  Globe,
  Info,
  KeyRound,
  SlidersHorizontal,
  type LucideIcon,
} from "lucide-react";
import type { SettingInfo } from "@/api/settings";

export const groups = [
  "general",
  "speech",
  "pronunciation",
  "storage",
  "devices",
  "network",
  "api",
  "about",
  "diagnostics",
] as const;
export type Group = (typeof groups)[number];

export const groupIcons: Record<Group, LucideIcon> = {
  general: SlidersHorizontal,
  speech: AudioLines,
  pronunciation: BookA,
  storage: Database,
  devices: Cpu,
  network: Globe,
  api: KeyRound,
  about: Info,
  diagnostics: Activity,
};

/** A row that the search can find; its words are `rows.<id>.title` and `.hint`. */
export interface Entry {
  id: string;
  group: Group;
}

const rowsOfPage: readonly Entry[] = [
  { id: "general.theme", group: "general" },
  { id: "general.language", group: "general" },
  { id: "general.shortcuts", group: "general" },
  { id: "pronunciation.words", group: "pronunciation" },
  { id: "storage.data", group: "storage" },
  { id: "storage.models", group: "storage" },
  { id: "storage.history", group: "storage" },
  { id: "devices.machine", group: "devices" },
  { id: "devices.memory", group: "devices" },
  { id: "devices.helpers", group: "devices" },
  { id: "network.offline", group: "network" },
  { id: "network.hub", group: "network" },
  { id: "network.privacy", group: "network" },
  { id: "api.current", group: "api" },
  { id: "api.token", group: "api" },
  { id: "api.try", group: "api" },
  { id: "api.docs", group: "api" },
  { id: "about.version", group: "about" },
  { id: "about.licences", group: "about" },
  { id: "diagnostics.report", group: "diagnostics" },
];

/** Keys of the server that this page shows in another way or not yet: the folder moves in Models, offline mode may come from the start, nothing hosted is there to be set. */
const shownElsewhere: readonly string[] = ["models.directory", "network.offline", "hosted.base_url"];
const placed: Record<string, Group> = { "speech.device": "devices", "models.idle_unload": "speech" };
const byPrefix: Record<string, Group> = { speech: "speech", models: "storage", history: "storage", api: "api" };

export function groupOf(key: string): Group {
  return placed[key] ?? byPrefix[key.split(".")[0] ?? ""] ?? "general";
}

/** The keys of the server in a group; a key that this page does not know yet has a place too. */
export function serverKeys(described: Record<string, SettingInfo> | undefined, group?: Group): string[] {
  const keys = Object.keys(described ?? {}).filter(
    (key) => !shownElsewhere.includes(key) && (group === undefined || groupOf(key) === group),
  );
  return keys.sort((a, b) => Number(b.startsWith(`${group}.`)) - Number(a.startsWith(`${group}.`))); // those that only live here come last
}

export function allEntries(described: Record<string, SettingInfo> | undefined): Entry[] {
  return [...rowsOfPage, ...serverKeys(described).map((id) => ({ id, group: groupOf(id) }))];
}

/** "speech.some_thing" as words, for keys that have no text here. */
export function wordsOf(key: string): string {
  const words = (key.split(".").at(-1) ?? key).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether all words of a search are in the text. */
export const matches = (search: string, text: string): boolean => finds(search.trim(), [text]);
