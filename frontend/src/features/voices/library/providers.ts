import * as v from "valibot";
import type { HostedVoice } from "@/api/hosted";
import { fold } from "@/lib/fold";
import { createStore, useStore } from "@/lib/store";
import { storedValue } from "@/lib/storedValue";
import type { Voice } from "./voice";

const maxStored = 200;
const stored = storedValue("voicewright.hosted.providers", v.record(v.string(), v.string()), {});

/** The providers that the person chose, by voice. */
const chosen = createStore<Readonly<Record<string, string>> | null>(null);

export const useChosenProviders = (): Readonly<Record<string, string>> => useStore(chosen) ?? stored.read();

/** Returns what voices have in common that are the same voice of several providers. */
export const sameVoice = ({ name, language, gender }: Pick<HostedVoice, "name" | "language" | "gender">): string =>
  [fold(name.trim()), language.toLowerCase(), gender].join("|");

/** Stores which provider speaks a voice from now on. */
export function chooseProvider(voice: HostedVoice): void {
  const others = Object.entries(chosen.get() ?? stored.read()).filter(([key]) => key !== sameVoice(voice));
  const next = Object.fromEntries([...others, [sameVoice(voice), voice.provider]].slice(-maxStored));
  chosen.set(next);
  stored.write(next);
}

const price = ({ hosted }: Voice): number => hosted?.credits_per_1000 ?? Infinity;
const isLocked = ({ state }: Voice): number => (state === "locked" ? 1 : 0);

/** Compares those that the plan includes first, then by price; unknown prices come last. */
const byPrice = (a: Voice, b: Voice): number =>
  isLocked(a) - isLocked(b) || (price(a) === price(b) ? 0 : price(a) - price(b));

function merged(voices: readonly Voice[], providers: Readonly<Record<string, string>>): Voice {
  const choices = [...voices].sort(byPrice);
  const [first] = choices as [Voice];
  const wanted = first.hosted && providers[sameVoice(first.hosted)];
  const of = choices.find((one) => one.hosted?.provider === wanted && !isLocked(one)) ?? first;
  const id = (voices[0] ?? first).profile.id; // the row stays the same when another provider is chosen
  return { ...of, profile: { ...of.profile, id }, choices: choices.flatMap(({ hosted }) => hosted ?? []) };
}

/** Returns the voices with one for all providers of the same hosted voice: of the one that the person chose, else the cheapest. */
export function mergeProviders(voices: readonly Voice[], providers: Readonly<Record<string, string>>): Voice[] {
  const groups = new Map<string, Voice[]>();
  for (const voice of voices) {
    const { hosted, offered, profile } = voice;
    let key = profile.id;
    if (hosted && offered) {
      key = sameVoice(hosted);
      while (groups.get(key)?.some((one) => one.hosted?.provider === hosted.provider)) key += "|"; // another voice of the name
    }
    groups.set(key, [...(groups.get(key) ?? []), voice]);
  }
  return [...groups.values()].map((group) => (group.length > 1 ? merged(group, providers) : group)).flat();
}
