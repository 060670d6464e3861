import { newSlot, rescues, saveDraft, type DraftDoor, type Parted, type Rescue } from "@/api/drafts";
import type { Draft } from "@/api/types";
import { createStore, type Store } from "@/lib/store";
import { emptyContent, nameOf, readContent, type Content } from "./content";

export type Saving = "clean" | "waiting" | "saving" | "failed";
export interface Kept {
  /** Undefined until it is saved for the first time. */
  id: string | undefined;
  name: string;
  /** Its text is that of the last pause; the page has the newest. */
  content: Content;
  saving: Saving;
  /** The `updated_at` of the stored one, as the server gave it. */
  savedAt: string | undefined;
  /** Grows whenever another text is to be shown. */
  opened: number;
  parted: Parted | null;
}

interface Body {
  name: string;
  content: Content;
}
export interface KeeperOptions {
  door: DraftDoor;
  untitled: string;
  copyOf(name: string): string;
}
/** Where the newest text is: on the page. */
interface PageOfText {
  text(): string;
  setText(text: string): void;
}

const pause = 800;
const againAfter = 5_000;
const keepaliveLimit = 60_000; // browsers send no more than 64 KiB as a page goes
const lastKey = "voicewright.studio.draft";
/** What windows that ended could not save. */
export const unsaved = rescues("voicewright.studio.unsaved");

export const lastDraft = (): string | null => localStorage.getItem(lastKey);
function rememberLast(id: string): void {
  try {
    localStorage.setItem(lastKey, id);
  } catch {
    // no storage: the newest one is opened then
  }
}

const raw = (body: Body) => ({ name: body.name, content: { ...body.content } });
const textOf = (content: Draft["content"]): string => readContent(content).text;
const placeOf = ({ id, slot }: Rescue): string => id ?? slot;
const noPage = (content: Content): PageOfText => ({ text: () => content.text, setText: () => undefined });

const first: Kept = {
  id: undefined,
  name: "",
  content: emptyContent,
  saving: "clean",
  savedAt: undefined,
  opened: 0,
  parted: null,
};

/** Keeps the open draft: saves it at each pause, again after a failure, and locally when the window goes before that. */
export function createKeeper(options: KeeperOptions) {
  const state: Store<Kept> = createStore(first);
  let page = noPage(emptyContent);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy: Promise<Draft | null> | null = null;
  let version = 0; // of what is to be saved
  let slot = newSlot(); // of a text that is no draft yet
  const later = new Map<string, ReturnType<typeof setTimeout>>(); // what is not on the page and could not be saved yet
  let known = ""; // the text of the open draft that this window read or sent last

  const set = (part: Partial<Kept>) => state.set((s) => ({ ...s, ...part }));

  /** Takes the newest text into the state and gives what to save. */
  function take(): Body {
    const now = state.get();
    const text = page.text();
    const content = text === now.content.text ? now.content : { ...now.content, text };
    const name = content.named && now.name ? now.name : nameOf(text, options.untitled);
    set({ content, name });
    return { name, content };
  }

  function plan(after: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), after);
  }

  /** `before` is the text that this window read or sent last: where the server still has it, nobody else wrote. */
  async function put({ id, since, name, content }: Rescue, before?: string): Promise<Draft> {
    const { draft, parted } = await saveDraft(
      options.door,
      { ...(id ? { id, since } : {}), name, content },
      {
        isKnown: (stored) => [textOf(content), before].includes(textOf(stored.content)),
        copy: () => ({ name: options.copyOf(name), content: { ...content, named: true } }),
      },
    );
    if (parted) set({ parted });
    return draft;
  }

  async function save(): Promise<void> {
    clearTimeout(timer);
    if (busy) return void plan(pause);
    if (state.get().saving === "clean") return;
    const { opened, id, savedAt } = state.get();
    const place = { id, slot };
    const body = take();
    const saved = version;
    const before = known;
    known = body.content.text;
    set({ saving: "saving" });
    busy = put({ ...place, since: savedAt, ...raw(body) }, before)
      .then(
        (draft) => {
          unsaved.drop(place);
          if (state.get().opened === opened) done(draft, saved === version);
          return draft;
        },
        () => {
          if (state.get().opened === opened) failed(body);
          return null;
        },
      )
      .finally(() => {
        busy = null;
      });
    await busy;
  }

  /** Saves what is not on the page any more, after a save of it that is still on its way. */
  async function finish(rescue: Rescue, before?: string, last: Promise<Draft | null> | null = null): Promise<void> {
    const saved = await last;
    const now = saved ? { ...rescue, id: saved.id, since: saved.updated_at } : rescue;
    await put(now, before).then(
      () => unsaved.drop(rescue),
      () => {
        unsaved.keep(now);
        later.set(
          placeOf(now),
          setTimeout(() => void finish(now, before), againAfter),
        );
      },
    );
  }

  function show(draft: Draft | null, content: Content, given: { name?: string; slot?: string } = {}): void {
    clearTimeout(timer);
    const { id, savedAt, saving } = state.get();
    if (saving !== "clean") void finish({ id, slot, since: savedAt, ...raw(take()) }, known, busy);
    page = noPage(content);
    slot = given.slot ?? newSlot();
    known = draft ? textOf(draft.content) : "";
    if (draft) rememberLast(draft.id);
    state.set((s) => ({
      ...first,
      id: draft?.id,
      name: given.name ?? draft?.name ?? "",
      content,
      savedAt: draft?.updated_at,
      opened: s.opened + 1,
      parted: s.parted,
    }));
  }

  /** Shows what could not be saved of a draft, or of a text that is none yet; it is saved again. */
  function restore(rescue: Rescue, draft: Draft | null): void {
    show(draft, readContent(rescue.content), rescue);
    changed();
  }

  /** What could not be saved of a draft that is opened again: it goes onto the page, or beside it where others wrote meanwhile. */
  function openWith(rescue: Rescue, draft: Draft): void {
    clearTimeout(later.get(placeOf(rescue)));
    if (rescue.since === draft.updated_at) return restore(rescue, draft);
    show(draft, readContent(draft.content));
    void finish(rescue);
  }

  function done(draft: Draft, isNewest: boolean): void {
    const { id, content } = state.get();
    if (draft.id !== id) set({ name: draft.name, content: { ...content, named: readContent(draft.content).named } });
    set({ id: draft.id, savedAt: draft.updated_at, saving: isNewest ? "clean" : "waiting" });
    rememberLast(draft.id);
    if (!isNewest) plan(pause);
  }

  function failed(body: Body): void {
    const { id, savedAt } = state.get();
    set({ saving: "failed" });
    unsaved.keep({ id, slot, since: savedAt, ...raw(body) });
    plan(againAfter);
  }

  function changed(): void {
    version += 1;
    if (state.get().saving !== "saving" && state.get().saving !== "waiting") set({ saving: "waiting" });
    plan(pause);
  }

  return {
    state,
    /** The newest text, typed a moment ago or not. */
    text: (): string => page.text(),
    /** The page says where the newest text is to be had. */
    attach(to: PageOfText): void {
      page = to;
    },
    /** The page goes from the screen: what stands on it is kept here, where the next one finds it, and saved. */
    detach(): void {
      page = noPage(take().content);
      void save();
    },
    /** The text changed; it is read at the next pause. */
    typed: changed,
    change(part: Partial<Content>): void {
      set({ content: { ...state.get().content, ...part } });
      changed();
    },
    rename(name: string): void {
      set({ name, content: { ...state.get().content, named: true } });
      changed();
    },
    save,
    /** Saves what a window that ended could not. */
    bringBack: (rescue: Rescue): Promise<void> => finish(rescue),
    restore,
    /** Shows another draft, with what could not be saved of it; the present one is saved first. */
    open(draft: Draft | null, given?: Content): void {
      const mine = draft && !given ? unsaved.all().find((rescue) => rescue.id === draft.id) : undefined;
      if (draft && mine) openWith(mine, draft);
      else show(draft, given ?? (draft ? readContent(draft.content) : emptyContent));
    },
    /** Takes what another window saved, as long as nothing waits to be saved here. */
    async refresh(): Promise<void> {
      const { id, opened, saving } = state.get();
      const before = version;
      if (!id || saving !== "clean") return;
      const draft = await options.door.read(id).catch(() => null);
      const now = state.get();
      if (
        !draft ||
        version !== before ||
        now.opened !== opened ||
        now.saving !== "clean" ||
        now.savedAt === draft.updated_at
      )
        return;
      const content = readContent(draft.content);
      known = content.text;
      set({ content, name: draft.name, savedAt: draft.updated_at });
      if (content.text !== page.text()) page.setText(content.text);
    },
    dismissParted: (): void => set({ parted: null }),
    /** Forgets what was not saved, for a draft that is being deleted. */
    drop(): void {
      clearTimeout(timer);
      unsaved.drop({ id: state.get().id, slot });
      set({ saving: "clean" });
    },
    /** The screen goes: what is not saved yet is sent, and kept locally in case that fails. */
    leave(): void {
      clearTimeout(timer);
      const { saving, id, savedAt, opened } = state.get();
      if (saving === "clean") return;
      const body = take();
      const saved = version;
      unsaved.keep({ id, slot, since: savedAt, ...raw(body) });
      if (!id || body.content.text.length >= keepaliveLimit / 4) return void save();
      known = body.content.text;
      // While another save is on its way this one comes after it, so that it may change what that one leaves.
      options.door.update({ id, ...raw(body), since: busy ? undefined : savedAt, keepalive: true }).then(
        (draft) => {
          unsaved.drop({ id, slot: "" });
          if (state.get().opened === opened) done(draft, saved === version);
        },
        () => plan(againAfter),
      ); // the page may come back
    },
  };
}

export type Keeper = ReturnType<typeof createKeeper>;
