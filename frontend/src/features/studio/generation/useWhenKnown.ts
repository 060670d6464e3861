import { useEffect, useEffectEvent, useState } from "react";

interface Options {
  /** A different number for each opened page. */
  opened: number;
  running: boolean;
  /** Reports whether the voice is known, or that there is none. */
  isKnown: boolean;
  generate(): void;
}

/** Generates a page as soon as its voice is known, where that is asked for by the function that is returned. */
export function useWhenKnown({ opened, running, isKnown, generate }: Options): (isWanted: boolean) => void {
  const [page, setPage] = useState<number | null>(null);
  if (page !== null && (page !== opened || running)) setPage(null);
  const isDue = page === opened && !running && isKnown;
  const generateNow = useEffectEvent(generate); // without a voice this opens the picker
  useEffect(() => {
    if (isDue) generateNow();
  }, [isDue]);
  return (isWanted) => setPage(isWanted ? opened : null);
}
