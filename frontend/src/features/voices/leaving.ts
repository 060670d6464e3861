import { leaving } from "./library";

/** Hides a voice or a sample that is deleted when its undo bar ends, or shows it again. */
export function setLeaving(id: string, isLeaving: boolean): void {
  leaving.set((before) => {
    const next = new Set(before);
    if (isLeaving) next.add(id);
    else next.delete(id);
    return next;
  });
}
