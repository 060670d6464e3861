import { useCallback, useLayoutEffect, useRef } from "react";

/**
 * Returns a function that reads the newest value, and always the same function. It is for event handlers that must keep
 * their identity because memoised rows get them; an effect uses useEffectEvent.
 */
export function useLatest<T>(value: T): () => T {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  }, [value]);
  return useCallback(() => ref.current, []);
}
