/** Parts that disappear as a whole: of each only the last element that had the focus is kept. */
const floats = "[role=dialog], [role=menu], .k-toasts";
const kept = 16; // steps: more than dialogs, menus and toasts are open at the same time

interface Step {
  element: HTMLElement;
  /** The focus left it for nothing: by a click beside all controls, or by a script. */
  isLeft: boolean;
}

let trail: readonly Step[] = [];

function add(element: HTMLElement, isLeft: boolean): void {
  const last = trail.at(-1)?.element;
  const float = element.closest(floats);
  const isSame = last === element || (float !== null && last?.closest(floats) === float);
  trail = [...(isSame ? trail.slice(0, -1) : trail), { element, isLeft }].slice(-kept);
}

/** Returns the button of the menu that an element is in, because the menu closes before what it opens; else the element. */
function lastingOf(element: HTMLElement): HTMLElement {
  const menu = element.closest("[role=menu]");
  const button = document.getElementById(menu?.getAttribute("aria-labelledby") ?? "");
  return button ? lastingOf(button) : element;
}

function onFocusIn({ target }: FocusEvent): void {
  if (target instanceof HTMLElement) add(lastingOf(target), false);
}

function onFocusOut({ target, relatedTarget }: FocusEvent): void {
  const isOfWindow = document.activeElement === target; // the window lost the focus, the element keeps it
  if (target instanceof HTMLElement && relatedTarget === null && !isOfWindow) add(target, true);
}

document.addEventListener("focusin", onFocusIn, true);
document.addEventListener("focusout", onFocusOut, true);

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(":disabled, [role=menu] *") && element.checkVisibility?.() !== false;

/** Reports whether nothing has the focus, as after the focused element was removed. */
export const isFocusFree = (): boolean => document.activeElement === document.body || document.activeElement === null;

/**
 * Returns the focus to the element that had it last and is still there; where there is none, to the title of the
 * screen. Where the focus was nowhere, it stays nowhere, and what has taken it meanwhile keeps it.
 */
export function returnFocus(): void {
  if (!isFocusFree()) return;
  const step = trail.findLast(({ element }) => isUsable(element));
  if (step?.isLeft) return;
  const target = step?.element ?? document.querySelector<HTMLElement>("main h1[tabindex]");
  target?.focus({ preventScroll: true });
}
