import { useEffect, useRef, useState } from "react";

/**
 * Returns a function that runs one action at a time: others are ignored from the moment of the click until the result of the
 * first is rendered. The state of a request is that of the last render, too old for a second click.
 */
export function useOneAtATime(): (act: () => Promise<void>) => void {
  const busy = useRef(false);
  const [ended, setEnded] = useState(0);
  useEffect(() => {
    busy.current = false;
  }, [ended]);
  return (act) => {
    if (busy.current) return;
    busy.current = true;
    void act().finally(() => setEnded((count) => count + 1));
  };
}
