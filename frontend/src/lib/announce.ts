import { createStore } from "./store";

/** What screen readers hear next, politely; `n` makes a repeated text new. */
export const announced = createStore({ text: "", n: 0 });

export const announce = (text: string): void => announced.set(({ n }) => ({ text, n: n + 1 }));
