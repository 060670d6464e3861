import { enhancedPattern, isAudioTag } from "@/lib/markup";
import { difference } from "../drafts/textDocument";

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

const isSpace = (token: string | undefined): boolean => token !== undefined && token.trim() === "";
const isTag = (token: string | undefined): boolean => token !== undefined && isAudioTag(token);

/**
 * Returns the changes that turn a text into one with the same words and other audio tags. The white space of the text
 * stays, and the words are not touched.
 */
export function tagChanges(before: string, after: string): TextChange[] {
  const old = before.match(enhancedPattern()) ?? [];
  const fresh = after.match(enhancedPattern()) ?? [];
  const changes: TextChange[] = [];
  let [at, i, j, added] = [0, 0, 0, ""];
  const pass = (token: string, isKept: boolean) => {
    if (added.trim() !== "") changes.push({ from: at, to: at, insert: added });
    if (!isKept) changes.push({ from: at, to: at + token.length, insert: "" });
    added = "";
    at += token.length;
    i += 1;
  };
  while (i < old.length || j < fresh.length) {
    const [was, is] = [old[i], fresh[j]];
    const isTagNext = isTag(fresh[j + 1]) && fresh[j + 1] !== old[i + 1];
    if (was !== undefined && (was === is || (isSpace(was) && isSpace(is) && !isTagNext))) {
      pass(was, true);
      j += 1;
    } else if (is !== undefined && (isTag(is) || isSpace(is))) {
      added += is;
      j += 1;
    } else if (was !== undefined && (isTag(was) || isSpace(was))) pass(was, isSpace(was));
    else return [difference(before, after)]; // the same words in another form of Unicode
  }
  if (added.trim() !== "") changes.push({ from: at, to: at, insert: added });
  return changes;
}
