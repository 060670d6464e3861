import { useEffect, useEffectEvent } from "react";
import { createStore } from "./store";

export type Files = readonly File[];
interface DropTarget {
  /** What dropping does, shown while files are over the window. */
  label: string;
  onDrop(files: Files): void;
}

export const dropTarget = createStore<DropTarget | null>(null);

/** Handles files dropped anywhere on the window while the component is mounted. Text files open in the Studio on every screen, audio and video on Transcribe. */
export function useDropTarget(label: string, onDrop: (files: Files) => void): void {
  const handleDrop = useEffectEvent(onDrop);
  useEffect(() => {
    const own: DropTarget = { label, onDrop: (files) => handleDrop(files) };
    dropTarget.set(own);
    return () => dropTarget.set((current) => (current === own ? null : current));
  }, [label]);
}
