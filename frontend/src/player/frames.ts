/** Returns a function that calls `act` with every frame as long as `isMoving`; calling it again changes nothing meanwhile. */
export function onEachFrame(act: () => void, isMoving: () => boolean): () => void {
  let frame: number | null = null;
  const next = (): void => {
    frame ??= requestAnimationFrame(() => {
      frame = null;
      act();
      if (isMoving()) next();
    });
  };
  return next;
}
