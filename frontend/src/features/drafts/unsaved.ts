import * as v from "valibot";

const schema = v.object({
  /** Undefined while the draft does not exist on the server. */
  id: v.optional(v.string()),
  /** The `updated_at` of the draft that was edited. */
  since: v.optional(v.string()),
  /** Distinguishes new drafts, which have no id. */
  slot: v.optional(v.string(), ""),
  name: v.string(),
  content: v.record(v.string(), v.unknown()),
});

/** A draft that a window could not save. */
export interface UnsavedDraft extends v.InferOutput<typeof schema> {
  id: string | undefined;
  since: string | undefined;
}
type Key = Pick<UnsavedDraft, "id" | "slot">;
export type UnsavedDrafts = ReturnType<typeof unsavedDrafts>;

export const newSlot = (): string => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

/** Local storage may be full or forbidden. The server still has the draft as it was saved last. */
function attempt<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

function read(key: string): UnsavedDraft[] {
  const stored = attempt<unknown>(() => JSON.parse(localStorage.getItem(key) ?? "null"), null);
  const result = v.safeParse(schema, stored);
  return result.success ? [{ id: undefined, since: undefined, ...result.output }] : [];
}

/** Keeps unsaved drafts in this browser, each under a key of its own. */
export function unsavedDrafts(prefix: string) {
  const keyOf = ({ id, slot }: Key) => `${prefix}.${id ?? `new-${slot}`}`;
  return {
    keep: (draft: UnsavedDraft): void =>
      attempt(() => localStorage.setItem(keyOf(draft), JSON.stringify(draft)), undefined),
    drop: (key: Key): void => attempt(() => localStorage.removeItem(keyOf(key)), undefined),
    all: (): UnsavedDraft[] =>
      attempt(() => Object.keys(localStorage), [])
        .filter((key) => key.startsWith(`${prefix}.`))
        .flatMap(read),
  };
}
