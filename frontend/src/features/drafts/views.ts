import * as v from "valibot";
import type { DraftContent } from "@/api/drafts";
import { isHeading } from "@/lib/heading";

/** The other view of a document as it was when the view was changed, so that changing back loses nothing. */
export interface Source {
  content: DraftContent;
  /** What this view was made with: as long as it says the same, the other view is as it was. */
  written: string;
}

export const sourceSchema = v.fallback(
  v.optional(v.object({ content: v.record(v.string(), v.unknown()), written: v.string() })),
  undefined,
);

/** What one speaker says, without a name where there is only one speaker. */
export interface Passage {
  name: string;
  text: string;
}

/**
 * Returns the text of a script: paragraphs, with names where more than one speaker speaks. A heading before a dialogue is
 * said by no one.
 */
export function writePassages(passages: readonly Passage[]): string {
  const spoken = passages.filter(({ text }) => text.trim() !== "");
  const hasNames = new Set(spoken.map(({ name }) => name)).size > 1;
  const write = ({ name, text }: Passage, i: number) =>
    hasNames && !(i === 0 && isHeading(text)) ? `${name}: ${text.trim()}` : text.trim();
  return spoken.map(write).join("\n\n");
}

/** Returns content without the other view that it was made from. */
export function withoutSource(content: DraftContent): DraftContent {
  return Object.fromEntries(Object.entries(content).filter(([field]) => field !== "source"));
}

const name = v.fallback(v.string(), "");
/** The part of a stored script that a text is made of. */
export const scriptSchema = v.object({
  kind: v.literal("script"),
  title: name,
  speakers: v.array(v.object({ id: v.string(), name, profileId: name })),
  turns: v.array(v.object({ speakerId: name, text: name })),
  source: sourceSchema,
});
type Script = v.InferOutput<typeof scriptSchema>;

export const passagesIn = ({ speakers, turns }: Pick<Script, "speakers" | "turns">): Passage[] =>
  turns.map(({ speakerId, text }) => ({ name: speakers.find(({ id }) => id === speakerId)?.name ?? "", text }));

/** Returns what tells whether a script still says what the text said that it was made from. */
export const writtenIn = (script: Pick<Script, "speakers" | "turns">): string =>
  JSON.stringify(passagesIn(script).map(({ name, text }) => [name, text]));
