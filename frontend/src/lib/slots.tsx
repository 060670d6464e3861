import { useEffect, useId, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { createStore, useStore } from "@/lib/store";

interface Slots {
  topStart: HTMLElement | null;
  topEnd: HTMLElement | null;
  inspector: HTMLElement | null;
}
interface InspectorState {
  owner: string | null;
  title: string;
  open: boolean;
}

export const slots = createStore<Slots>({ topStart: null, topEnd: null, inspector: null });
export const inspector = createStore<InspectorState>({ owner: null, title: "", open: true });

const setSlot = (name: keyof Slots) => (element: HTMLElement | null) =>
  slots.set((all) => (all[name] === element ? all : { ...all, [name]: element }));
export const setTopStart = setSlot("topStart");
export const setTopEnd = setSlot("topEnd");
export const setInspectorSlot = setSlot("inspector");

/** Renders controls of a screen next to its title. */
export function TopStart({ children }: { children: ReactNode }) {
  const { topStart } = useStore(slots);
  return topStart ? createPortal(children, topStart) : null;
}

/** Renders the actions of a screen at the end of the top bar; the primary one comes last. */
export function TopEnd({ children }: { children: ReactNode }) {
  const { topEnd } = useStore(slots);
  return topEnd ? createPortal(children, topEnd) : null;
}

/** Renders the details of a screen: a column, or a sheet in a narrow window. Its children are <section>s. */
export function Inspector({ title, children }: { title: string; children: ReactNode }) {
  const owner = useId();
  const slot = useStore(slots).inspector;
  useEffect(() => {
    inspector.set((state) => ({ ...state, owner, title }));
    return () => inspector.set((state) => (state.owner === owner ? { ...state, owner: null } : state));
  }, [owner, title]);
  return slot ? createPortal(children, slot) : null;
}

export function useInspector() {
  const state = useStore(inspector);
  return { isOpen: state.open, setOpen: (open: boolean) => inspector.set((s) => ({ ...s, open })) };
}
