import { vi } from "vitest";

/*
 * The test files that draw nothing share one window in each worker, because making one takes longer than their tests. Each file begins
 * with modules of its own, and what it left in the window goes when its tests are done.
 */

/** Loads the modules of the file anew, and returns the function that clears the window after its tests. */
export function beginFile(): () => Promise<void> {
  vi.resetModules();
  const ends = [trackListeners(window), trackListeners(document), trackTimers(), trackProperties()];
  return async () => {
    vi.useRealTimers();
    await new Promise((done) => setTimeout(done)); // a dialog that closes lets go of the focus by a timer
    vi.unstubAllGlobals();
    for (const end of ends) end();
    for (const element of [document.documentElement, document.body])
      for (const name of element.getAttributeNames()) element.removeAttribute(name);
    document.body.replaceChildren();
    document.title = "";
    history.replaceState(null, "", "/");
  };
}

/** Returns the function that removes the listeners that were added since. */
function trackListeners(target: EventTarget): () => void {
  const add = target.addEventListener;
  const added: Parameters<typeof add>[] = [];
  target.addEventListener = (...args) => {
    added.push(args);
    add.apply(target, args);
  };
  return () => {
    target.addEventListener = add;
    for (const args of added) target.removeEventListener(...args);
  };
}

/** Returns the function that stops the timers that were started since. */
function trackTimers(): () => void {
  const { setTimeout, setInterval } = globalThis;
  const started: ReturnType<typeof setTimeout>[] = [];
  const tracked = (start: typeof setTimeout) =>
    ((...args: Parameters<typeof start>) => {
      const timer = start(...args);
      started.push(timer);
      return timer;
    }) as typeof start;
  globalThis.setTimeout = tracked(setTimeout);
  globalThis.setInterval = tracked(setInterval as typeof setTimeout) as unknown as typeof setInterval;
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval });
    started.forEach(clearTimeout);
  };
}

/**
 * Returns the function that deletes the properties that the window and the document got since: the bridge of the desktop window, and the
 * marks of libraries that say that they listen to the document.
 */
function trackProperties(): () => void {
  const names = () => Object.keys(window).filter((name) => !name.startsWith("__"));
  const before = new Set<PropertyKey>([...names(), ...Reflect.ownKeys(document)]);
  return () => {
    for (const name of names()) if (!before.has(name)) Reflect.deleteProperty(window, name);
    for (const key of Reflect.ownKeys(document)) if (!before.has(key)) Reflect.deleteProperty(document, key);
  };
}
