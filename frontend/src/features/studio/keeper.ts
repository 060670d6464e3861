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
  savedAt: string | null;
  /** Grows whenever another text is to be shown. */
  opened: number;
}

export interface KeeperOptions {
  create(body: { name: string; content: Content }): Promise<Draft>;
  update(body: { id: string; name: string; content: Content; keepalive?: boolean }): Promise<Draft>;
  untitled: string;
}

const pause = 800;
const againAfter = 5_000;
const rescueKey = "voicewright.studio.unsaved";
const lastKey = "voicewright.studio.draft";
const keepaliveLimit = 60_000; // browsers send no more than 64 KiB as a page goes

interface Rescue { id: string | undefined; name: string; content: Content; at: number }

/** Local storage may be full or forbidden; the program has the draft all the same, some seconds older. */
function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // nothing to do
  }
}

export const lastDraft = (): string | null => localStorage.getItem(lastKey);

/** What a window that ended could not save, if anything. */
export function readRescue(): Rescue | null {
  try {
    const raw = JSON.parse(localStorage.getItem(rescueKey) ?? "null") as Rescue | null;
    return raw ? { ...raw, content: readContent(raw.content as unknown as Draft["content"]) } : null;
  } catch {
    return null;
  }
}

const first: Kept = { id: undefined, name: "", content: emptyContent, saving: "clean", savedAt: null, opened: 0 };

/** Keeps the open draft: saves it at each pause, again after a failure, and locally when the window goes before that. */
export function createKeeper(options: KeeperOptions) {
  const state: Store<Kept> = createStore(first);
  let read: () => string = () => state.get().content.text;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy: Promise<Draft | null> | null = null;
  let version = 0; // of what is to be saved

  const set = (part: Partial<Kept>) => state.set((s) => ({ ...s, ...part }));

  /** Takes the newest text into the state and gives what to save. */
  function take(): { name: string; content: Content } {
    const now = state.get();
    const text = read();
    const content = text === now.content.text ? now.content : { ...now.content, text };
    const name = content.named ? now.name : nameOf(text, options.untitled);
    set({ content, name });
    return { name, content };
  }

  function plan(after: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), after);
  }

  async function save(): Promise<void> {
    clearTimeout(timer);
    if (busy) return void plan(pause);
    if (state.get().saving === "clean") return;
    const { opened, id } = state.get();
    const body = take();
    const saved = version;
    set({ saving: "saving" });
    busy = (id ? options.update({ id, ...body }) : options.create(body)).then(
      (draft) => {
        if (state.get().opened === opened) done(draft, saved === version);
        return draft;
      },
      () => {
        if (state.get().opened === opened) failed(body);
        return null;
      },
    ).finally(() => { busy = null; });
    await busy;
  }

  /** Saves what another draft takes the place of, after a save that is still on its way. */
  async function finish(id: string | undefined, body: { name: string; content: Content }, before: Promise<Draft | null> | null): Promise<void> {
    const made = id ?? (await before)?.id;
    await (made ? options.update({ id: made, ...body }) : options.create(body))
      .catch(() => keepLocally(made, body));
  }

  function keepLocally(id: string | undefined, body: { name: string; content: Content }): void {
    store(rescueKey, JSON.stringify({ id, ...body, at: Date.now() } satisfies Rescue));
  }

  function done(draft: Draft, isNewest: boolean): void {
    set({ id: draft.id, savedAt: draft.updated_at, saving: isNewest ? "clean" : "waiting" });
    store(lastKey, draft.id);
    if (isNewest) store(rescueKey, null);
    else plan(pause);
  }

  function failed(body: { name: string; content: Content }): void {
    set({ saving: "failed" });
    keepLocally(state.get().id, body);
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
    text: (): string => read(),
    /** The page says where the newest text is to be had. */
    readFrom(reader: () => string): void { read = reader; },
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
    /** Shows another draft; the present one is saved first. */
    open(draft: Draft | null, content: Content = draft ? readContent(draft.content) : emptyContent): void {
      clearTimeout(timer);
      if (state.get().saving !== "clean") void finish(state.get().id, take(), busy);
      read = () => content.text;
      if (draft) store(lastKey, draft.id);
      state.set((s) => ({ id: draft?.id, name: draft?.name ?? "", content, saving: "clean", savedAt: draft?.updated_at ?? null, opened: s.opened + 1 }));
    },
    /** Forgets what was not saved, for a draft that is being deleted. */
    drop(): void {
      clearTimeout(timer);
      store(rescueKey, null);
      set({ saving: "clean" });
    },
    /** The screen goes: what is not saved yet is sent, and kept locally in case that fails. */
    leave(): void {
      clearTimeout(timer);
      const { saving, id } = state.get();
      if (saving === "clean") return;
      const body = take();
      keepLocally(id, body);
      if (id && body.content.text.length < keepaliveLimit / 4) void options.update({ id, ...body, keepalive: true }).then(() => store(rescueKey, null), () => undefined);
      else void save();
    },
  };
}

export type Keeper = ReturnType<typeof createKeeper>;
