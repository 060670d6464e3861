import { useState } from "react";
import { useTextPreviews } from "@/api/text";
import { useDebounced } from "@/lib/useDebounced";
import { speakable, speakerOf, type ScriptContent } from "./model";

const previewDelay = 500; // ms after the last key

// How fast people read aloud, until it is known how fast a voice does.
const lettersPerSecond = 14.5;
const syllablesPerSecond = 4.5;

function readingTime(text: string): number {
  const syllables = text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu)?.length ?? 0;
  return (text.length - syllables) / lettersPerSecond + syllables / syllablesPerSecond;
}

/** Returns what each voice speaks, by the id of its profile. */
function textsOf(script: ScriptContent): Map<string, string> {
  const texts = new Map<string, string>();
  for (const turn of speakable(script)) {
    const voice = speakerOf(script, turn)?.profileId ?? "";
    const before = texts.get(voice);
    texts.set(voice, before === undefined ? turn.text.trim() : `${before} ${turn.text.trim()}`);
  }
  return texts;
}

/** How much longer a voice takes for its text than people do. */
type Pace = ReadonlyMap<string, number>;

/** Returns the pace of each voice in its last preview. */
function usePace(script: ScriptContent): Pace {
  const asked = [...textsOf(useDebounced(script, previewDelay))];
  const previews = useTextPreviews(asked.map(([voice, text]) => (voice ? { profile_id: voice, text } : { text })));
  const [pace, setPace] = useState<Pace>(new Map());
  const next = new Map(pace);
  for (const [i, [voice, text]] of asked.entries()) {
    const preview = previews[i];
    if (preview) next.set(voice, preview.seconds / readingTime(text));
  }
  if ([...next].some(([voice, factor]) => pace.get(voice) !== factor)) setPace(next);
  return next;
}

/** Returns the estimated length of the joined audio in whole seconds, 1 or more; null where nothing is spoken. */
export function useScriptLength(script: ScriptContent): number | null {
  const pace = usePace(script);
  const gaps = speakable(script).length - 1;
  if (gaps < 0) return null;
  const spoken = [...textsOf(script)].reduce(
    (sum, [voice, text]) => sum + readingTime(text) * (pace.get(voice) ?? 1),
    0,
  );
  return Math.max(1, Math.round(spoken + (gaps * script.gapMs) / 1000));
}
