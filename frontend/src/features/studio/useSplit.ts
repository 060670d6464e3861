import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { draftDoor, type NewDraft } from "@/api/drafts";
import type { Draft } from "@/api/types";
import { useUndo } from "@/ui";
import type { Kept } from "./keeper";
import type { DraftDeeds } from "./useDraftDeeds";

/** A text that no draft can hold, or that there is no room for on the page. */
export interface LongText { title: string; text: string }

const isStopped = Symbol("stopped");

interface Storing { create(body: NewDraft): Promise<Draft>; discard(ids: readonly string[]): void; made(count: number): void; isStopped(): boolean }

/** The last one first, so that the list of the drafts begins with the first. All of them, or none. */
async function storeAll(bodies: readonly NewDraft[], storing: Storing): Promise<Draft[]> {
  const drafts: Draft[] = [];
  try {
    for (const body of [...bodies].reverse()) {
      if (storing.isStopped()) throw isStopped;
      drafts.unshift(await storing.create(body));
      storing.made(drafts.length);
    }
    return drafts;
  } catch (cause) {
    storing.discard(drafts.map(({ id }) => id));
    throw cause;
  }
}

/** Deletes the drafts that were made, and shows the page that stood there before where one of them is open. */
function takeBack({ keeper, discard, open }: DraftDeeds, ids: readonly string[], before: Kept, text: string): void {
  const isShown = ids.includes(keeper.state.get().id ?? "");
  if (isShown) keeper.drop();
  discard(ids);
  if (isShown && before.id) open({ id: before.id });
  else if (isShown) keeper.open(null, { ...before.content, text });
}

/** Makes drafts of texts that are too long, after a question, with a way back. */
export function useSplit(deeds: DraftDeeds, voiceId: string | undefined) {
  const { t } = useTranslation("studio");
  const door = draftDoor(useQueryClient());
  const undo = useUndo();
  const [asked, setAsked] = useState<readonly LongText[]>([]);
  const [turn, setTurn] = useState(0);
  const [made, setMade] = useState<number | null>(null); // how many are there already
  const [error, setError] = useState<unknown>(null);
  const stop = useRef(false);
  const { keeper } = deeds;

  function next(): void {
    setError(null);
    setAsked(([, ...rest]) => rest);
    setTurn((count) => count + 1);
  }

  async function make(title: string, parts: readonly { name: string; text: string }[]): Promise<void> {
    stop.current = false;
    setError(null);
    setMade(0);
    await keeper.save(); // so that the page before has an id to come back to
    const [before, text] = [keeper.state.get(), keeper.text()];
    const profile_id = before.content.profile_id ?? voiceId ?? null;
    const bodies = parts.map((part) => ({ name: part.name, content: { ...deeds.fresh({ text: part.text, profile_id, named: parts.length > 1 }) } }));
    try {
      const drafts = await storeAll(bodies, { create: door.create, discard: deeds.discard, made: setMade, isStopped: () => stop.current });
      const ids = drafts.map(({ id }) => id);
      keeper.open(drafts[0] ?? null);
      next();
      undo({ text: t("split.made", { count: parts.length, title }), commit: () => undefined, undo: () => takeBack(deeds, ids, before, text) });
    } catch (cause) {
      if (cause !== isStopped) setError(cause);
    } finally {
      setMade(null);
    }
  }

  return {
    /** The text that is asked about now; `turn` is another number for each. */
    asked: asked[0], turn, made, error, make,
    ask: (text: LongText) => setAsked((all) => [...all, text]),
    /** Nothing is made of this one; what was made already goes again. */
    leave: () => {
      stop.current = true;
      next();
    },
  };
}

export type Split = ReturnType<typeof useSplit>;
