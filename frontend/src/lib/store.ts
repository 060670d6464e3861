import { useRef, useSyncExternalStore } from "react";

/** A value outside React that components subscribe to. */
export interface Store<T> {
  get(): T;
  set(next: T | ((before: T) => T)): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const after = typeof next === "function" ? (next as (before: T) => T)(value) : next;
      if (Object.is(after, value)) return;
      value = after;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** Subscribes to a part of a store; renders again only when that part changes. */
export function useStorePart<T, P>(store: Store<T>, pick: (value: T) => P): P {
  const last = useRef<{ from: T; pick: (value: T) => P; part: P } | null>(null);
  const read = () => {
    const from = store.get();
    if (last.current === null || last.current.from !== from || last.current.pick !== pick) {
      last.current = { from, pick, part: pick(from) };
    }
    return last.current.part;
  };
  return useSyncExternalStore(store.subscribe, read, read);
}
