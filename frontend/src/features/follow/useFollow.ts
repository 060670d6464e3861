import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { onPlayRequest } from "@/player";

const scrollKeys: readonly string[] = [
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "PageUp",
  "PageDown",
  "Home",
  "End",
];
const interval = 1_000; // ms: a passage can be longer than the window, and the window can change

export interface Follow {
  /** The person has scrolled away from what is read. */
  isAway: boolean;
  /** Stops following: the person is looking at another place. */
  leave(): void;
  /** Follows again, at once. */
  resume(): void;
}

/** Where a text is read aloud. */
interface Place {
  /** What the text is: another one is followed from its beginning. */
  text: string;
  /** Whether it is its audio that the player has. */
  state: "playing" | "paused" | "other";
  /** Changes with the passage. */
  passage: string | number;
  /** Scrolls so that what is read is in sight. */
  show(): void;
}

const inSearch = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="search"]') !== null;

/** Reports whether a press is on a scroll bar, or scrolls by the middle button. */
function isScrollPress({ target, clientX, clientY, button }: PointerEvent): boolean {
  if (button === 1) return true;
  if (!(target instanceof Element)) return false;
  const { left, top } = target.getBoundingClientRect();
  const [x, y] = [clientX - left - target.clientLeft, clientY - top - target.clientTop];
  return target.scrollHeight > target.clientHeight && (x < 0 || x > target.clientWidth || y > target.clientHeight);
}

/** Reports whether an event means that the person looks at another place of the text than the one that is read. */
function isLeaving(event: Event, root: Element): boolean {
  if (event instanceof KeyboardEvent) {
    const isHere = event.target === document.body || (event.target instanceof Node && root.contains(event.target));
    return (
      isHere && (scrollKeys.includes(event.key) || (["Enter", "F3"].includes(event.key) && inSearch(event.target)))
    );
  }
  if (!(event.target instanceof Node) || !root.contains(event.target)) return false;
  if (event.type === "pointerdown") return isScrollPress(event as PointerEvent);
  if (event.type === "pointermove")
    return (event as PointerEvent).buttons === 1 && document.getSelection()?.isCollapsed === false;
  if (event.type === "click") return inSearch(event.target);
  return true;
}

const leavingEvents = [
  ...(["wheel", "touchmove", "keydown", "beforeinput", "pointerdown", "pointermove", "click"] as const),
  "focusin", // by the Tab key
] as const;

const isTab = (event: Event): boolean =>
  event instanceof KeyboardEvent && event.key === "Tab" && !event.altKey && !event.ctrlKey && !event.metaKey;

/**
 * Keeps the passage that is read aloud in sight, until the person scrolls, writes, searches or goes elsewhere by Tab. It
 * follows again when asked to, and when the person plays or seeks. Nothing scrolls while the audio is paused.
 */
export function useFollow(root: RefObject<Element | null>, { text, state, passage, show }: Place): Follow {
  const [left, setLeft] = useState<string | null>(null);
  const isRead = state === "playing";
  const isAway = left === text && state !== "other";
  const keep = useEffectEvent(() => {
    if (isRead && !isAway) show();
  });
  const leave = useEffectEvent((event: Event) => {
    if (isRead && root.current && isLeaving(event, root.current)) setLeft(text);
  });
  useEffect(() => keep(), [isRead, isAway, passage]);
  useEffect(() => {
    if (!isRead) return;
    const timer = setInterval(() => keep(), interval);
    let isTabbing = false;
    const onEvent = (event: Event) => {
      if (event.type !== "focusin") isTabbing = isTab(event);
      else if (!isTabbing) return; // a script moved the focus, or a click that scrolls nothing
      leave(event);
    };
    const onKeyUp = () => (isTabbing = false);
    document.addEventListener("keyup", onKeyUp, true);
    for (const name of leavingEvents) document.addEventListener(name, onEvent, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      document.removeEventListener("keyup", onKeyUp, true);
      for (const name of leavingEvents) document.removeEventListener(name, onEvent, { capture: true });
    };
  }, [isRead]);
  useEffect(() => onPlayRequest(() => setLeft(null)), []);
  return {
    isAway,
    leave: () => {
      if (isRead) setLeft(text);
    },
    resume: () => {
      setLeft(null);
      show();
    },
  };
}
