import { useEffect } from "react";
import { createStore, useStore } from "./store";

const shown = createStore("");

/** Names what the screen shows, such as the draft, in the title of the window while the component is mounted. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    shown.set(title.trim());
    return () => shown.set("");
  }, [title]);
}

/** Sets the title of the window: what is shown, the screen, the program. */
export function useScreenTitle(screen: string): void {
  const title = useStore(shown);
  useEffect(() => {
    document.title = [title, screen, "Voicewright"].filter(Boolean).join(" - ");
  }, [title, screen]);
}
