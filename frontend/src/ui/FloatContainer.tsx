import { createContext, useContext, useState, type ReactNode } from "react";

const Container = createContext<HTMLElement | null>(null);

/** The element in which menus of this part of the page are rendered: screen readers hardly reach text outside of landmarks. */
export const useFloatContainer = (): HTMLElement | null => useContext(Container);

/** Renders menus of `children` at its end. Nothing around it may clip fixed elements. */
export function FloatContainer({ children }: { children: ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  return (
    <Container value={element}>
      {children}
      <div ref={setElement} />
    </Container>
  );
}
