import { engineName } from "@/api/models";
import type { Model } from "@/api/types";
import { isBuiltInOffer } from "./builtIn";
import { isFavorite } from "./filter";
import type { Offer } from "./offers";
import { builtIn, type Voice } from "./voice";

/** A row of a list of voices. */
export type Entry =
  | { kind: "heading"; key: string; text: string; count: number }
  | { kind: "voice"; key: string; voice: Voice }
  | {
      kind: "group";
      key: string;
      engine: string;
      name: string;
      voices: readonly Voice[];
      open: boolean;
      /** A voice of the same model is listed before the group. */ more: boolean;
      /** The model to download first. */ toGet?: Model;
    }
  | { kind: "model"; key: string; model: Model };

/** A model with more voices than this is one collapsed row. */
export const groupOver = 20;

export type Compare = (a: Voice, b: Voice) => number;

const offeredHosted = ({ offered, hosted }: Voice): boolean => offered && hosted !== undefined;

const rank = (voice: Voice): number => {
  if (isFavorite(voice)) return 0;
  if (offeredHosted(voice)) return 4;
  if (isBuiltInOffer(voice)) return 3;
  return voice.profile.voice_type === "preset" && voice.shares.length === 0 ? 2 : 1;
};

/**
 * Compares favourites first, then the person's own, then presets by engine and name, then other built-in voices, those of the
 * language of the page first, then hosted voices.
 */
export const byUse: Compare = (a, b) =>
  rank(a) - rank(b) ||
  Number(b.near ?? false) - Number(a.near ?? false) ||
  (rank(a) === 2 ? a.engine.localeCompare(b.engine) : 0) ||
  a.name.localeCompare(b.name);

const voiceEntry = (voice: Voice): Entry => ({ kind: "voice", key: voice.profile.id, voice });

/** Returns what groups a voice: its model, or the provider of a hosted voice; empty for a voice of its own row. */
const modelKey = (voice: Voice): string => {
  if (rank(voice) === 2) return voice.profile.model_name || voice.engine;
  if (rank(voice) === 3) return voice.near ? "" : `${builtIn}:more`;
  return rank(voice) === 4 ? `hosted:${voice.hosted?.provider ?? ""}` : "";
};

/** Returns the voices as rows in order; large models collapse at their first voice, except for pinned voices. */
export function voiceEntries(
  voices: readonly Voice[],
  options: { open: ReadonlySet<string>; keep?: string | undefined; flat?: boolean },
): Entry[] {
  const sizes = new Map<string, number>();
  for (const voice of voices) sizes.set(modelKey(voice), (sizes.get(modelKey(voice)) ?? 0) + 1);
  const done = new Set<string>();
  return voices.flatMap((voice): Entry[] => {
    const key = modelKey(voice);
    if (options.flat || key === "" || (sizes.get(key) ?? 0) <= groupOver) return [voiceEntry(voice)];
    if (done.has(key)) return [];
    done.add(key);
    return groupEntries(
      key,
      voices.filter((other) => modelKey(other) === key),
      options,
    );
  });
}

function groupEntries(
  key: string,
  all: readonly Voice[],
  { open, keep }: { open: ReadonlySet<string>; keep?: string | undefined },
): Entry[] {
  const kept = all.filter((voice) => voice.profile.id === keep);
  const others = all.filter((voice) => voice.profile.id !== keep);
  const first = others[0];
  if (!first) return kept.map(voiceEntry);
  const isOpen = open.has(key);
  const group: Entry = {
    kind: "group",
    key: `group:${key}`,
    engine: first.engine,
    name: first.hosted?.provider ?? first.model?.display_name ?? engineName(first.engine),
    voices: others,
    open: isOpen,
    more: kept.length > 0,
  };
  return [...kept.map(voiceEntry), group, ...(isOpen ? others.map(voiceEntry) : [])];
}

/** Up to this many voices of a model are listed one by one in search results. */
const few = 5;

/** Returns what can be downloaded: a voice, a model as a collapsible row, or a model whose voices are unknown. */
export function offerEntries(
  offers: readonly Offer[],
  { open, flat }: { open: ReadonlySet<string>; flat: boolean },
): Entry[] {
  return offers.flatMap(({ model, voices }): Entry[] => {
    const key = `get:${model.model_name}`;
    const first = voices[0];
    if (!first) return [{ kind: "model", key: `model:${model.model_name}`, model }];
    if (voices.length === 1 || (flat && voices.length <= few)) return voices.map(voiceEntry);
    const isOpen = open.has(key);
    return [
      {
        kind: "group",
        key: `group:${key}`,
        engine: model.engine,
        name: model.display_name,
        voices,
        open: isOpen,
        more: false,
        toGet: model,
      },
      ...(isOpen ? voices.map(voiceEntry) : []),
    ];
  });
}

/** Returns the key of the model that a group represents. */
export const groupOf = (entry: Entry): string => entry.key.replace(/^group:/, "");
