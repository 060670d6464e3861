import { createStore, type Store } from "@/lib/store";
import type { Keeper } from "./draftStore";

/** A store for each keeper: what it holds is still there when the Studio was left and is opened again. */
export function besideKeeper<T>(initial: T): (keeper: Keeper) => Store<T> {
  const stores = new WeakMap<Keeper, Store<T>>();
  return (keeper) => {
    const known = stores.get(keeper) ?? createStore(initial);
    stores.set(keeper, known);
    return known;
  };
}
