import { createContext, useContext, useState, type ReactNode } from "react";

const Home = createContext<HTMLElement | null>(null);

/** Where menus of this part of the page are put: a text that is in no landmark is hard to come by with a screen reader. */
export const useFloatHome = (): HTMLElement | null => useContext(Home);

/** Gives menus in `children` a place at its end, which must lie where nothing clips what is fixed. */
export function FloatHome({ children }: { children: ReactNode }) {
  const [home, setHome] = useState<HTMLElement | null>(null);
  return (
    <Home value={home}>
      {children}
      <div ref={setHome} />
    </Home>
  );
}
