import type { TFunction } from "i18next";
import type { Profile } from "@/api/types";
import type { Format } from "@/i18n/format";
import { insertDialogue, type PlaysTag } from "./dialogue";
import type { Pasted } from "./pasted/names";
import { parsePasted } from "./pasted/parse";
import { namesOf, withNamesAsText, type AsText, type FoundName } from "./pasted/speakers";
import type { Place } from "./undo";
import {
  cycleSpeaker,
  joinTurn,
  maxCharacters,
  maxTurns,
  moveTurn,
  remainingCharacters,
  setText,
  speakerOf,
  splitTurn,
  type ScriptContent,
} from "./model";
import { withPause } from "@/lib/pause";
import type { TurnKeys } from "./TurnText";

/** The state that the keys act on, when one is pressed. */
export interface KeyContext {
  script: ScriptContent;
  voices: readonly Profile[];
  playsTag: PlaysTag;
  change(next: ScriptContent): void;
  t: TFunction<"script">;
  format: Format;
  toast(toast: { text: string }): void;
  /** Announced to screen readers. */
  say(words: string): void;
  goTo(place: Place): void;
  /** Shows the names of a pasted script and what will not be spoken, before it is inserted. */
  check(pasted: PastedScript): void;
  /** Returns the current or last position of the cursor in a turn. */
  caret(id: string): number | null;
}

/** Keys that change turns. */
export function editKeys(
  now: () => KeyContext,
): Pick<TurnKeys, "cycle" | "split" | "join" | "moveTurn" | "pause" | "focusNeighbour"> {
  return {
    cycle(id, step) {
      const { script, change, say, t } = now();
      const next = cycleSpeaker(script, id, step);
      const turn = next.turns.find((other) => other.id === id);
      change(next);
      say(turn ? t("script:nowSpeaks", { name: speakerOf(next, turn)?.name ?? "" }) : "");
    },
    split(id, caret) {
      const { script, change, goTo, t, format, toast } = now();
      const { script: next, focus } = splitTurn(script, id, caret);
      if (focus === id) toast({ text: t("script:full", { turns: format.number(maxTurns) }) });
      change(next);
      goTo({ id: focus, caret: focus === id ? caret : 0 });
    },
    join(id) {
      const { script, change, goTo } = now();
      const joined = joinTurn(script, id);
      if (!joined) return false;
      change(joined.script);
      goTo({ id: joined.focus, caret: joined.caret });
      return true;
    },
    moveTurn(id, step, caret) {
      const { script, change, say, goTo, t, format } = now();
      const next = moveTurn(script, id, step);
      if (next === script) return say(t(step < 0 ? "script:isFirst" : "script:isLast"));
      change(next);
      if (caret !== undefined) goTo({ id, caret });
      say(
        t("script:movedTo", {
          n: format.number(next.turns.findIndex((turn) => turn.id === id) + 1),
          total: format.number(next.turns.length),
        }),
      );
    },
    pause(id) {
      const { script, change, say, goTo, caret, t, format, toast } = now();
      const turn = script.turns.find((other) => other.id === id);
      if (!turn) return;
      const next = withPause(turn.text, caret(id) ?? turn.text.length);
      const excess = next.text.length - turn.text.length - remainingCharacters(script);
      if (excess > 0)
        return toast({
          text: t("script:cut", { limit: format.number(maxCharacters), left: format.number(excess) }),
        });
      change(setText(script, id, next.text));
      goTo({ id, caret: next.caret });
      say(t("script:pauseAdded"));
    },
    focusNeighbour(id, step) {
      const { script, goTo } = now();
      const to = script.turns[script.turns.findIndex((turn) => turn.id === id) + step];
      if (to) goTo({ id: to.id, caret: step < 0 ? to.text.length : 0 });
      return to !== undefined;
    },
  };
}

/** A script that was pasted at a turn. */
export interface PastedScript {
  id: string;
  text: string;
  found: Pasted;
  names: readonly FoundName[];
}

/** Returns what of a pasted script will not be spoken: also a title that the script does not need, and directions. */
function leftOf({ script, voices, playsTag }: KeyContext, id: string, found: Pasted): string[] {
  const { title } = found;
  return [
    ...(title && script.title.trim() && script.title.trim() !== title ? [title] : []),
    ...found.left,
    ...insertDialogue(script, id, found.lines, voices, playsTag).directions,
  ];
}

/** Returns the number of turns of a pasted script, and what will not be spoken, if some names are text. */
export function outcomeOf(context: KeyContext, { id, found }: PastedScript, asText: AsText) {
  const taken = withNamesAsText(found, asText);
  return { turns: taken.lines.length, left: leftOf(context, id, taken) };
}

/** Inserts a pasted script as turns. */
export function insertPasted(
  { script, voices, playsTag, change, say, goTo, toast, t, format }: KeyContext,
  pasted: PastedScript,
  asText: AsText = new Set(),
) {
  const { title, lines } = withNamesAsText(pasted.found, asText);
  const { script: next, focus, dropped } = insertDialogue(script, pasted.id, lines, voices, playsTag);
  change({ ...next, title: script.title.trim() ? script.title : title.slice(0, 200) });
  goTo({ id: focus, caret: next.turns.find((turn) => turn.id === focus)?.text.length ?? 0 });
  say(t("script:pasted", { count: lines.length - dropped }));
  if (dropped > 0)
    toast({
      text: t("script:turnsCut", {
        count: dropped,
        left: format.number(dropped),
        turns: format.number(maxTurns),
        characters: format.number(maxCharacters),
      }),
    });
}

/** Inserts pasted text into a turn as it is. */
export function insertAsText(
  { script, change, goTo, caret, t, format, toast }: KeyContext,
  { id, text }: PastedScript,
) {
  const before = script.turns.find((turn) => turn.id === id)?.text ?? "";
  const at = caret(id) ?? before.length;
  const fits = text.slice(0, remainingCharacters(script));
  change(setText(script, id, before.slice(0, at) + fits + before.slice(at)));
  goTo({ id, caret: at + fits.length });
  const left = text.length - fits.length;
  if (left > 0) toast({ text: t("script:cut", { limit: format.number(maxCharacters), left: format.number(left) }) });
}

/** The pasted text, and how much more fits. */
export function pasteKeys(now: () => KeyContext): Pick<TurnKeys, "paste" | "remaining" | "reportCut"> {
  return {
    paste(id, text, fileTitle = "") {
      const parsed = parsePasted(
        text,
        now().script.speakers.map((speaker) => speaker.name),
      );
      if (!parsed) return false;
      const found = { ...parsed, title: parsed.title || fileTitle };
      const pasted = { id, text, found, names: namesOf(found.lines, found.doubtful) };
      if (leftOf(now(), id, found).length > 0 || found.doubtful.length > 0) now().check(pasted);
      else insertPasted(now(), pasted);
      return true;
    },
    remaining: () => remainingCharacters(now().script),
    reportCut(characters) {
      const { t, format, toast } = now();
      toast({ text: t("script:cut", { limit: format.number(maxCharacters), left: format.number(characters) }) });
    },
  };
}
