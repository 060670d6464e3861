import { toApiError, type ApiError } from "@/api/errors";
import type { Segment, Transcript, TranscriptChanges } from "@/api/types";
import { SaveTimer } from "@/lib/saveTimer";
import { createStore, type Store } from "@/lib/store";
import {
  changesBetween,
  isRepeatable,
  mergeChanges,
  withoutSaved,
  type SegmentChange,
  type UndoneStep,
} from "../text/changes";

/** Reports whether a save that failed would always fail, as when the transcript or its segment no longer exists. */
const isFinal = ({ status }: ApiError): boolean => [400, 404, 410, 413, 422].includes(status);

/** The requests that the editor sends. */
export interface EditorApi {
  /** The newest state of the transcript. */
  stored(): Transcript | undefined;
  patch(changes: TranscriptChanges, keepalive: boolean): Promise<Transcript>;
  undo(): Promise<Transcript>;
}

/** Another window changed a segment that this one was changing too. */
export interface EditConflict {
  id: number;
  mine: string;
  theirs: string;
}

export interface EditorState {
  /** Changes that the server does not have yet. */
  pending: readonly SegmentChange[];
  /** It is "refused" if trying again cannot help. */
  saving: "clean" | "waiting" | "saving" | "failed" | "refused";
  error: ApiError | null;
  /** Undone changes that can be made again, newest last. */
  undone: readonly UndoneStep[];
  conflict: EditConflict | null;
}

const isStored = (segments: readonly Segment[] | undefined, { id, text, speaker }: SegmentChange): boolean => {
  const segment = segments?.find((one) => one.id === id);
  return (
    segment !== undefined &&
    (text === undefined || text === segment.text) &&
    (speaker === undefined || (speaker === segment.speaker && !segment.speaker_found))
  );
};

const textOf = (segments: readonly Segment[] | undefined, id: number): string | undefined =>
  segments?.find((segment) => segment.id === id)?.text;

const initial: EditorState = { pending: [], saving: "clean", error: null, undone: [], conflict: null };

/** Holds the changes of a transcript and saves them: after a pause, again after a failure that may pass, and when the page closes. */
export class Editor {
  readonly state: Store<EditorState> = createStore(initial);
  /** The texts that the changes are based on, by segment. */
  private readonly base = new Map<number, string>();
  private readonly timer = new SaveTimer(() => this.save());
  private request: Promise<unknown> = Promise.resolve();
  /** Repeats the undo or redo that failed. */
  private repeat = (): Promise<void> => this.undo();

  constructor(private readonly api: EditorApi) {}

  /** Changes segments; the change is saved after a pause. */
  change(changes: readonly SegmentChange[]): void {
    if (changes.length === 0) return;
    this.add(changes);
    this.set({ undone: [] });
    this.timer.afterPause();
  }

  /** Saves all changes, after any save that is still in progress. */
  save(keepalive = false): Promise<unknown> {
    this.timer.stop();
    this.request = this.request.then(() => {
      const { pending } = this.state.get();
      if (pending.length === 0) return undefined;
      const conflict = this.findConflict();
      if (!conflict) return this.send(this.toSend(), keepalive);
      this.set({ conflict });
      return undefined;
    });
    return this.request;
  }

  /** Undoes the newest saved change. */
  async undo(): Promise<void> {
    await this.save();
    const before = this.api.stored();
    if (!before?.can_undo || this.state.get().pending.length > 0) return;
    try {
      const after = await this.api.undo();
      const changes = changesBetween(after.segments, before.segments);
      const step = changes && { changes, from: after.segments };
      this.set({ undone: step ? [...this.state.get().undone, step] : [], error: null });
    } catch (error) {
      this.fail(error, () => this.undo());
    }
  }

  /** Sends a change of another kind after the changes of segments, and reports whether it was sent. Nothing can be redone after it. */
  async apply(change: () => Promise<unknown>): Promise<boolean> {
    await this.save();
    if (this.state.get().pending.length > 0) return false;
    await change();
    this.set({ undone: [] });
    return true;
  }

  /** Makes the change again that was undone last. */
  async redo(): Promise<void> {
    await this.save();
    const { undone, pending } = this.state.get();
    const step = undone.at(-1);
    if (!step || pending.length > 0) return;
    if (!isRepeatable(step, this.api.stored()?.segments ?? [])) return this.set({ undone: [] });
    this.set({ undone: undone.slice(0, -1) });
    try {
      if (step.changes.speakers) await this.api.patch(step.changes, false);
      else this.add(step.changes.segments ?? []);
    } catch (error) {
      this.set({ undone });
      return this.fail(error, () => this.redo());
    }
    await this.save();
  }

  /** Ends a conflict with the text of this window, or with that of the other one. */
  resolve(keep: "mine" | "theirs"): void {
    const { conflict, pending } = this.state.get();
    if (!conflict) return;
    this.base.set(conflict.id, conflict.theirs);
    this.set({
      conflict: null,
      ...(keep === "theirs" ? { pending: pending.filter(({ id }) => id !== conflict.id), saving: "clean" } : {}),
    });
    void this.save();
  }

  /** Sends unsaved changes when the page closes. */
  readonly leave = (): void => {
    const { saving } = this.state.get();
    if (saving === "waiting" || saving === "failed") void this.save(true);
  };

  /** Tries again what failed: the save, else the undo or redo. */
  retry(): Promise<unknown> {
    return this.state.get().pending.length > 0 ? this.save() : this.repeat();
  }

  /** Forgets the changes that are not saved. */
  readonly discard = (): void => {
    this.base.clear();
    this.set({ pending: [], saving: "clean", error: null, conflict: null });
  };

  /** Saves the changes when the page is left, and reports whether none is left to save; the others are tried again. */
  async close(): Promise<boolean> {
    await this.save(true);
    if (this.state.get().saving === "waiting") await this.save(true); // what could not be sent with the others
    if (this.state.get().saving === "refused") this.discard();
    return this.state.get().pending.length === 0;
  }

  private fail(error: unknown, repeat: () => Promise<void>): void {
    this.repeat = repeat;
    this.set({ error: toApiError(error) });
  }

  private set(part: Partial<EditorState>): void {
    this.state.set((before) => ({ ...before, ...part }));
  }

  /** Returns the first change whose segment another window has changed since. */
  private findConflict(): EditConflict | null {
    const segments = this.api.stored()?.segments;
    for (const { id, text } of this.state.get().pending) {
      const [before, theirs] = [this.base.get(id), textOf(segments, id)];
      if (text !== undefined && before !== undefined && theirs !== undefined && theirs !== before && theirs !== text)
        return { id, mine: text, theirs };
    }
    return null;
  }

  private async send(changes: readonly SegmentChange[], keepalive: boolean): Promise<void> {
    this.set({ saving: "saving" });
    try {
      const { segments } = await this.api.patch({ segments: [...changes] }, keepalive);
      const pending = withoutSaved(this.state.get().pending, changes);
      for (const { id } of changes) {
        const text = pending.some((change) => change.id === id) ? textOf(segments, id) : undefined;
        if (text === undefined) this.base.delete(id);
        else this.base.set(id, text);
      }
      this.set({ pending, saving: pending.length > 0 ? "waiting" : "clean", error: null });
      if (pending.length > 0) this.timer.afterPause();
    } catch (thrown) {
      const error = toApiError(thrown);
      this.set({ saving: isFinal(error) ? "refused" : "failed", error });
      if (!isFinal(error)) this.timer.afterFailure();
    }
  }

  /** Returns the changes to send now: those of segments that the server no longer has would refuse the others too. */
  private toSend(): readonly SegmentChange[] {
    const { pending } = this.state.get();
    const segments = this.api.stored()?.segments;
    const known = pending.filter(({ id }) => segments?.some((segment) => segment.id === id));
    return known.length > 0 ? known : pending;
  }

  private add(changes: readonly SegmentChange[]): void {
    if (changes.length === 0) return;
    const segments = this.api.stored()?.segments;
    for (const { id } of changes) if (!this.base.has(id)) this.base.set(id, textOf(segments, id) ?? "");
    const { pending, saving } = this.state.get();
    const merged = mergeChanges(pending, changes);
    // What the server has already need not be saved, unless a save in progress is about to change it there.
    const left = saving === "saving" ? merged : merged.filter((change) => !isStored(segments, change));
    if (saving === "saving") this.set({ pending: left });
    else if (left.length > 0) this.set({ pending: left, saving: "waiting" });
    else this.set({ pending: left, saving: "clean", error: null });
  }
}

export const createEditor = (api: EditorApi): Editor => new Editor(api);
