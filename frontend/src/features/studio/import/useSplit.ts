import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { draftDoor, type NewDraft } from "@/api/drafts";
import type { Draft } from "@/api/types";
import { useStore } from "@/lib/store";
import { useUndo } from "@/ui";
import { besideKeeper } from "../drafts/storePerDraftStore";
import type { Kept } from "../drafts/draftStore";
import type { DraftDeeds } from "../drafts/useDraftActions";

/** A text that no draft can hold, or that there is no room for on the page. */
export interface LongText {
  title: string;
  text: string;
}

interface Asking {
  asked: readonly LongText[];
  /** Another number for each text that is asked about. */
  turn: number;
  isMaking: boolean;
  /** What there is already of the first text; a failure leaves it, and the next try goes on from there. */
  made: readonly Draft[];
  /** The name that these have. */
  title: string;
  error: unknown;
}

const none = { isMaking: false, made: [], title: "", error: null };
const askingOf = besideKeeper<Asking>({ asked: [], turn: 0, ...none });

interface Storing {
  create(body: NewDraft): Promise<Draft>;
  made(drafts: readonly Draft[]): void;
  isWanted(): boolean;
}

/** The last one first, so that the list of the drafts begins with the first. Goes on from those that are there. */
async function storeRest(bodies: readonly NewDraft[], there: readonly Draft[], storing: Storing): Promise<void> {
  let drafts = there;
  for (const body of bodies.slice(0, bodies.length - there.length).reverse()) {
    drafts = [await storing.create(body), ...drafts];
    storing.made(drafts);
    if (!storing.isWanted()) return;
  }
}

const idsOf = (drafts: readonly Draft[]): string[] => drafts.map(({ id }) => id);

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
  const { keeper } = deeds;
  const store = askingOf(keeper);
  const now = useStore(store);

  const set = (turn: number, part: Partial<Asking>) =>
    store.set((all) => (all.turn === turn ? { ...all, ...part } : all));
  const next = (turn: number) => set(turn, { ...none, asked: store.get().asked.slice(1), turn: turn + 1 });

  /** What the last try left, unless it has another name. */
  function there(title: string): readonly Draft[] {
    const { made, title: before } = store.get();
    if (before === title) return made;
    deeds.discard(idsOf(made));
    return [];
  }

  async function make(title: string, parts: readonly { name: string; text: string }[]): Promise<void> {
    const { turn } = store.get();
    const isWanted = () => store.get().turn === turn;
    let drafts = there(title);
    set(turn, { isMaking: true, made: drafts, title, error: null });
    try {
      await keeper.save(); // so that the page before has an id to come back to
      const [before, text] = [keeper.state.get(), keeper.text()];
      const profile_id = before.content.profile_id ?? voiceId ?? null;
      const bodies = parts.map((part) => ({
        name: part.name,
        content: { ...deeds.fresh({ text: part.text, profile_id, named: parts.length > 1 }) },
      }));
      if (isWanted())
        await storeRest(bodies, drafts, {
          create: door.create,
          isWanted,
          made: (made) => {
            drafts = made;
            set(turn, { made });
          },
        });
      if (!isWanted()) return deeds.discard(idsOf(drafts));
      keeper.open(drafts[0] ?? null);
      next(turn);
      undo({
        text: t("split.made", { count: parts.length, title }),
        commit: () => undefined,
        undo: () => takeBack(deeds, idsOf(drafts), before, text),
      });
    } catch (error) {
      if (isWanted()) set(turn, { isMaking: false, error });
      else deeds.discard(idsOf(drafts));
    }
  }

  return {
    /** The text that is asked about now, and how many drafts are there while they are made. */
    asked: now.asked[0],
    turn: now.turn,
    made: now.isMaking ? now.made.length : null,
    error: now.error,
    make,
    ask: (text: LongText) => store.set((all) => ({ ...all, asked: [...all.asked, text] })),
    /** Nothing is made of this one; what was made already goes again: by itself while it is being made. */
    leave: () => {
      const { turn, isMaking, made } = store.get();
      next(turn);
      if (!isMaking) deeds.discard(idsOf(made));
    },
  };
}

export type Split = ReturnType<typeof useSplit>;
