import { audioFormats } from "@/api/formats";
import * as v from "valibot";
import type { DraftContent } from "@/api/drafts";
import { v3Model } from "@/api/hosted";
import type { Draft, GenerateRequest, Profile } from "@/api/types";
import type { DraftDocument } from "@/features/drafts/document";
import { sourceSchema, type Source } from "@/features/drafts/views";

/** The longest text of one request. */
export const maxCharacters = 200_000;
/** Of longer texts the beginning is previewed after each pause. */
export const maxPreview = 20_000;
/** Characters per second of a slow voice, until a preview has the measured value. */
const charactersPerSecond = 14.5;

/** The options of a text; null is the default of the voice or the program. */
export interface Choices {
  profile_id: string | null;
  speed: number | null;
  seed: number | null;
  format: NonNullable<GenerateRequest["format"]>;
  normalize: boolean;
  /** The limiter lowers high peaks; needs normalize. */
  limit: boolean;
  max_chunk_chars: number | null;
  crossfade_ms: number | null;
  steps: number | null;
  /** The options of the hosted v3 model. */
  hosted: HostedChoices | null;
}

export type HostedChoices = v.InferOutput<typeof hostedSchema>;

/** A document of the Studio: a text, which is one turn, and its options. */
export interface TextDocument extends Choices, DraftDocument {
  /** A person gave the name; otherwise it is taken from the first words. */
  named: boolean;
  /** The last generation of the text. */
  generation_id: string | null;
  /** The script that the text was made from. */
  source?: Source | undefined;
}

const optional = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullable(schema), null);
const number = v.pipe(v.number(), v.finite());
const fraction = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const hostedSchema = v.object({
  stability: v.exactOptional(fraction),
  similarity_boost: v.exactOptional(fraction),
  speaker_boost: v.exactOptional(v.boolean()),
  language_override: v.exactOptional(v.boolean()),
});

/** The stored content. Invalid values that another program wrote count as absent. */
const contentSchema = v.object({
  text: v.fallback(
    v.pipe(
      v.string(),
      v.transform((text) => text.slice(0, maxCharacters)),
    ),
    "",
  ),
  profile_id: optional(v.string()),
  speed: optional(number),
  seed: optional(number),
  format: v.fallback(v.picklist(audioFormats), "wav"),
  normalize: v.fallback(v.boolean(), true),
  limit: v.fallback(v.boolean(), true),
  max_chunk_chars: optional(number),
  crossfade_ms: optional(number),
  steps: optional(number),
  hosted: optional(hostedSchema),
  named: v.fallback(v.boolean(), false),
  generation_id: optional(v.string()),
  source: sourceSchema,
});

/** Returns the options of the hosted model among those of a receipt; null if there are none. */
export function hostedChoices(parameters: unknown): HostedChoices | null {
  const { success, output } = v.safeParse(hostedSchema, parameters);
  return success && Object.keys(output).length > 0 ? output : null;
}

const turnOf = (text: string): DraftDocument["turns"] => [{ id: "text", text }];
export const textOf = (document: DraftDocument): string => document.turns[0]?.text ?? "";
export const withText = (document: TextDocument, text: string): TextDocument =>
  text === textOf(document) ? document : { ...document, turns: turnOf(text) };

/** Returns the document of stored content, whichever program wrote it. */
export function parseText(content: DraftContent): TextDocument {
  const { text, source, ...remaining } = v.parse(contentSchema, content);
  return { ...remaining, turns: turnOf(text), ...(source ? { source } : {}) };
}
export function serializeText({ turns, ...remaining }: TextDocument): DraftContent {
  return { ...remaining, text: textOf({ turns }) };
}

export const emptyText: TextDocument = parseText({});

/** The initial values of a new draft; those left out are taken from the previous draft. */
export type NewText = Partial<Choices & Pick<TextDocument, "named" | "generation_id">> & { text?: string };

/** Returns a new document with the voice and the other options of the previous one. */
export const newText = (before: TextDocument, { text = "", ...remaining }: NewText = {}): TextDocument => ({
  ...before,
  named: false,
  generation_id: null,
  source: undefined,
  ...remaining,
  turns: turnOf(text),
});

/** Drafts of the script screen are in the same list on the server. */
export const isScript = (draft: Draft): boolean => draft.content.kind === "script";

/** Returns the text with line feeds only. */
export const plainLines = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Returns the title that a person gave; empty if the name is only taken from the first words. */
export const titleOf = ({ document, name }: { document: TextDocument; name: string }): string =>
  document.named ? name.trim() : "";

/** Returns the body of POST /generate, without options that were not set. */
export function toRequest(document: TextDocument, text: string, profileId: string, title: string): GenerateRequest {
  const { speed, seed, format, normalize, limit, max_chunk_chars, crossfade_ms, steps } = document;
  const chosen = Object.entries({ speed, seed, max_chunk_chars, crossfade_ms, steps }).filter(
    ([, value]) => value !== null,
  );
  return {
    profile_id: profileId,
    text,
    ...(title === "" ? {} : { title }),
    format,
    normalize,
    ...(limit ? {} : { limit }),
    ...Object.fromEntries(chosen),
  };
}

/** Reports whether a voice has the hosted v3 model, with audio tags and its own options. */
export const hasV3 = (profile: Profile | undefined): boolean =>
  profile?.voice_type === "hosted" && profile.hosted_model_id === v3Model;

/** Returns the body of POST /generate for a hosted voice: its audio is stored as received. v3 has a fixed speed. */
export function toHostedRequest(
  document: TextDocument,
  text: string,
  profile: Profile,
  title: string,
): GenerateRequest {
  const { speed, hosted } = document;
  const body = { profile_id: profile.id, text, ...(title === "" ? {} : { title }) };
  if (hasV3(profile)) return hosted ? { ...body, hosted } : body;
  return speed === null ? body : { ...body, speed };
}

/** Returns the seconds of audio, at the pace of the last preview if there is one. */
export function estimate(characters: number, speed: number, preview?: { characters: number; seconds: number }): number {
  if (preview && preview.characters > 0) return (characters / preview.characters) * preview.seconds;
  return characters / charactersPerSecond / speed;
}

/** Returns the single change that turns one text into another, without their common start and end. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const max = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < max && before[start] === after[start]) start += 1;
  while (end < max - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
