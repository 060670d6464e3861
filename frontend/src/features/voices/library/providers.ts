import * as v from "valibot";
import type { HostedVoice } from "@/api/hosted";
import { fold } from "@/lib/fold";
import { createStore, useStore } from "@/lib/store";
import { storedValue } from "@/lib/storedValue";
import type { Voice } from "./voice";

const maxStored = 200;
const stored = storedValue("voicewright.hosted.providers", v.record(v.string(), v.string()), {});

/** The providers that the person chose, by voice. */
const chosen = createStore<Readonly<Record<string, string>>>(stored.read());

export const useChosenProviders = (): Readonly<Record<string, string>> => useStore(chosen);

/** Returns what voices have in common that are the same voice of several providers. */
export const sameVoice = ({ name, language, gender }: Pick<HostedVoice, "name" | "language" | "gender">): string =>
  [fold(name.trim()), language.toLowerCase(), gender].join("|");

/** Stores which provider speaks a voice from now on. */
export function chooseProvider(voice: HostedVoice): void {
  const others = Object.entries(chosen.get()).filter(([key]) => key !== sameVoice(voice));
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
  const of =
    choices.find((one) => one.hosted?.provider === wanted && !isLocked(one)) ??
    choices.find((one) => one.hosted?.favorite && !isLocked(one)) ??
    first;
  const id = (voices[0] ?? first).profile.id; // the row stays the same when another provider is chosen
  return {
    ...of,
    profile: { ...of.profile, id },
    choices: choices.flatMap(({ hosted, state }) => (hosted ? { ...hosted, locked: state === "locked" } : [])),
  };
}

/**
 * Returns a function that returns the key of a voice's row: all providers of a hosted voice share one, but two voices of one
 * provider never do.
 */
export function rowKeys(): (voice: Voice) => string {
  const taken = new Set<string>();
  return ({ hosted, offered, profile }) => {
    if (!hosted || !offered) return profile.id;
    let key = sameVoice(hosted);
    while (taken.has(`${hosted.provider} ${key}`)) key += "|";
    taken.add(`${hosted.provider} ${key}`);
    return key;
  };
}

/**
 * Returns the voices with one for all providers of the same hosted voice: of the one that the person chose, else a favourite,
 * else the cheapest.
 */
export function mergeProviders(voices: readonly Voice[], providers: Readonly<Record<string, string>>): Voice[] {
  const groups = new Map<string, Voice[]>();
  const keyOf = rowKeys();
  for (const voice of voices) {
    const key = keyOf(voice);
    groups.set(key, [...(groups.get(key) ?? []), voice]);
  }
  return [...groups.values()].flatMap((group) => (group.length > 1 ? merged(group, providers) : group));
}
