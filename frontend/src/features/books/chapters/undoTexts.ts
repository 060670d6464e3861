import { createStore, useStore } from "@/lib/store";

/** What a change that this window made is called, by how many changes could be undone after it. */
interface Change {
  undos: number;
  text: string;
}
const changes = createStore<ReadonlyMap<string, readonly Change[]>>(new Map());

/** Remembers what was changed. At the limit of the server each change makes it forget the oldest one. */
export function noteChange(id: string, undos: number, text: string): void {
  changes.set((all) => {
    const before = all.get(id) ?? [];
    const isFull = before.at(-1)?.undos === undos;
    const kept = isFull ? before.map((change) => ({ ...change, undos: change.undos - 1 })) : before;
    return new Map(all).set(id, [
      ...kept.filter((change) => change.undos > 0 && change.undos < undos),
      { undos, text },
    ]);
  });
}

/** Returns what the next undo of a book brings back; undefined for a change that another window made. */
export const useUndoText = (id: string, undos: number): string | undefined =>
  useStore(changes)
    .get(id)
    ?.find((change) => change.undos === undos)?.text;
