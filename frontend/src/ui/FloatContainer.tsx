import { createContext, useContext, useState, type ReactNode } from "react";

const Container = createContext<HTMLElement | null>(null);

/** The element that menus of this part of the page render in: screen readers rarely reach text outside landmarks. */
export const useFloatContainer = (): HTMLElement | null => useContext(Container);

/** Renders menus of `children` at its end. No ancestor may clip fixed elements. */
export function FloatContainer({ children }: { children: ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  return (
    <Container value={element}>
      {children}
      <div ref={setElement} />
    </Container>
  );
}
