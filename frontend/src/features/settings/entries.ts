import { finds } from "@/lib/fold";
import {
  Activity,
  AudioLines,
  BookA,
  Cpu,
  Database,
  Globe,
  Info,
  Keyboard,
  KeyRound,
  Mic,
  SlidersHorizontal,
  Users,
  type LucideIcon,
} from "lucide-react";
import type { SettingInfo } from "@/api/settings";

export const groups = [
  "general",
  "keyboard",
  "speech",
  "pronunciation",
  "speakers",
  "dictation",
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
  keyboard: Keyboard,
  speech: AudioLines,
  pronunciation: BookA,
  speakers: Users,
  dictation: Mic,
  storage: Database,
  devices: Cpu,
  network: Globe,
  api: KeyRound,
  about: Info,
  diagnostics: Activity,
};

/** A row that the search can find; its texts are `rows.<id>.title` and `.hint`. */
export interface Entry {
  id: string;
  group: Group;
}

/** The row of the check for a new version, which most builds do not have. */
export const updatesRow = "about.updates";

const rowsOfPage: readonly Entry[] = [
  { id: "general.theme", group: "general" },
  { id: "general.language", group: "general" },
  { id: "general.autoplay", group: "general" },
  { id: "general.output", group: "general" },
  { id: "keyboard.single", group: "keyboard" },
  { id: "keyboard.shortcuts", group: "keyboard" },
  { id: "pronunciation.words", group: "pronunciation" },
  { id: "speakers.known", group: "speakers" },
  { id: "storage.data", group: "storage" },
  { id: "storage.models", group: "storage" },
  { id: "storage.history", group: "storage" },
  { id: "storage.backup", group: "storage" },
  { id: "storage.restore", group: "storage" },
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
  { id: updatesRow, group: "about" },
  { id: "about.licences", group: "about" },
  { id: "diagnostics.report", group: "diagnostics" },
];

/** Keys without a row of their own: Models moves the folder, offline mode has its own control, Account has the hosted service. */
const shownElsewhere: readonly string[] = [
  "models.directory",
  "network.offline",
  "hosted.base_url",
  "hosted.enabled",
  "hosted.issuer",
  "hosted.client_id",
  "hosted.audience",
  "hosted.scopes",
  "hosted.client_secret",
  "hosted.use_id_token",
  "hosted.resource",
  "hosted.auth_params",
  "hosted.warn_credits",
  "hosted.ask_credits",
  "secrets.allow_file",
];
const placed: Record<string, Group> = {
  "speech.device": "devices",
  "transcribe.device": "devices",
  "models.idle_unload": "speech",
};
const byPrefix: Record<string, Group> = {
  speech: "speech",
  transcribe: "speech",
  audio: "speech",
  models: "storage",
  history: "storage",
  api: "api",
  dictation: "dictation",
};

export function groupOf(key: string): Group {
  return placed[key] ?? byPrefix[key.split(".")[0] ?? ""] ?? "general";
}

/** Settings without an effect while another one is off. */
const dependsOn: Record<string, string> = {
  "speech.verify_model": "speech.verify",
  "speech.verify_limit": "speech.verify",
};
export const hasEffect = (key: string, values: Readonly<Record<string, unknown>> | undefined): boolean =>
  values?.[dependsOn[key] ?? ""] !== false;

/** Returns the server keys of a group; keys that this page does not know yet are included. */
export function serverKeys(described: Record<string, SettingInfo> | undefined, group?: Group): string[] {
  const keys = Object.keys(described ?? {}).filter(
    (key) => !shownElsewhere.includes(key) && (group === undefined || groupOf(key) === group),
  );
  // Keys from other groups come last.
  return keys.sort((a, b) => Number(b.startsWith(`${group}.`)) - Number(a.startsWith(`${group}.`)));
}

export function allEntries(described: Record<string, SettingInfo> | undefined): Entry[] {
  return [...rowsOfPage, ...serverKeys(described).map((id) => ({ id, group: groupOf(id) }))];
}

/** Returns "speech.some_thing" as words, for keys without texts. */
export function wordsOf(key: string): string {
  const words = (key.split(".").at(-1) ?? key).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Reports whether all words of a search are in the text. */
export const matches = (search: string, text: string): boolean => finds(search.trim(), [text]);
