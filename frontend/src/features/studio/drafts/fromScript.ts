import * as v from "valibot";
import type { DraftContent } from "@/api/drafts";
import type { Draft } from "@/api/types";
import { passagesIn, scriptSchema, withoutSource, writePassages, writtenIn } from "@/features/drafts/views";
import { emptyText, maxCharacters, parseText, withText, type TextDocument } from "./textDocument";
import type { TextStore } from "./textStore";

/**
 * Returns the text of a script, with names where several speakers speak. The options are those of the text that the
 * script was before, and so is the text itself as long as the script says the same. Null for content that is no script.
 */
export function fromScript(content: DraftContent): TextDocument | null {
  const result = v.safeParse(scriptSchema, content);
  if (!result.success) return null;
  const script = result.output;
  const before = script.source ? parseText(script.source.content) : null;
  const isSame = before !== null && script.source?.written === writtenIn(script);
  const written = isSame ? (before.turns[0]?.text ?? "") : writePassages(passagesIn(script));
  const text = written.slice(0, maxCharacters);
  const speaking = new Set(script.turns.map(({ speakerId }) => speakerId));
  const speaker = script.speakers.find(({ id }) => speaking.has(id));
  // The voice of a text of several speakers stays: it is none of theirs.
  const profile_id = (speaking.size === 1 ? speaker?.profileId : before?.profile_id) || speaker?.profileId || null;
  return withText(
    {
      ...(before ?? emptyText),
      profile_id,
      named: script.title.trim() !== "",
      source: { content: withoutSource(content), written: text },
    },
    text,
  );
}

/** Opens a script as a text; it is stored as one once it is changed. */
export function openAsText(store: TextStore, draft: Draft): void {
  const text = fromScript(draft.content);
  if (text) store.view(draft, text);
}
