import * as v from "valibot";
import type { DraftApi, DraftContent } from "@/api/drafts";
import type { DocumentFormat } from "@/features/drafts/document";
import { maxTitle } from "@/features/drafts/name";
import { createDraftStore, type DraftStore } from "@/features/drafts/draftStore";
import { sourceSchema } from "@/features/drafts/views";
import { unsavedDrafts } from "@/features/drafts/unsaved";
import { hues, titleOf, type ScriptContent } from "./model";
import { restoreWritten, sameWritten, typedIn } from "./undo";

export type ScriptStore = DraftStore<ScriptContent>;

/** Unsaved drafts of closed windows. */
export const unsaved = unsavedDrafts("voicewright.script.unsaved");

const text = v.fallback(v.string(), "");
const speaker = v.object({
  id: v.string(),
  name: text,
  profileId: text,
  hue: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(hues)), 1),
});
const spoken = v.object({ generationId: v.string(), text: v.string(), profileId: v.string() });
const turn = v.object({
  id: v.string(),
  speakerId: text,
  text,
  spoken: v.fallback(v.optional(spoken), undefined),
});
const schema = v.object({
  kind: v.literal("script"),
  title: text,
  gapMs: v.fallback(v.pipe(v.number(), v.finite()), 300),
  speakers: v.pipe(v.array(speaker), v.minLength(1)),
  turns: v.pipe(v.array(turn), v.minLength(1)),
  scriptId: v.fallback(v.optional(v.string()), undefined),
  joined: v.fallback(v.optional(v.object({ takes: v.string(), at: v.string() })), undefined),
  source: sourceSchema,
});

/** Returns the script of stored content; null for a draft of another kind or an unreadable one. */
export function parseScript(content: DraftContent): ScriptContent | null {
  const result = v.safeParse(schema, content);
  if (!result.success) return null;
  const { scriptId, joined, source, ...script } = result.output;
  const known = new Set(script.speakers.map(({ id }) => id));
  const first = script.speakers[0]?.id ?? "";
  const turns = script.turns.map((one) => (known.has(one.speakerId) ? one : { ...one, speakerId: first }));
  return {
    ...script,
    turns,
    ...(scriptId === undefined ? {} : { scriptId }),
    ...(joined ? { joined } : {}),
    ...(source ? { source } : {}),
  };
}

/** Returns JSON with the fields of every object in one order, because the server may return them in another. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

export interface ScriptTexts {
  untitled(): string;
  copyOf(name: string): string;
}

/** Creates the store of the open script. */
export function createScriptStore(api: DraftApi, empty: ScriptContent, { untitled, copyOf }: ScriptTexts): ScriptStore {
  const format: DocumentFormat<ScriptContent> = {
    empty,
    parse: parseScript,
    serialize: (script) => ({ ...script }),
    nameOf: (script) => (titleOf(script) || untitled()).slice(0, maxTitle),
    copyOf,
    rename: (script, title) => ({ ...script, title }),
    isSame: (a, b) => canonical(a) === canonical(b),
    undo: { isSame: sameWritten, typedIn, restore: restoreWritten },
  };
  return createDraftStore({ api, format, unsaved });
}
