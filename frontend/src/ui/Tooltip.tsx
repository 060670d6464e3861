import { Tooltip as Radix } from "radix-ui";
import type { FocusEvent, ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";
import { isTabbing } from "./tabbing";

/**
 * Escape presses that closed a tooltip: the dialog, popover or menu that the focus is in closes on the same press, as if
 * there had been no tooltip. The innermost one removes the press.
 */
export const closedHint = new WeakSet<Event>();

/** A focus set by a dialog or a script opens no tooltip: the person did not move there. */
function onlyByTab(event: FocusEvent): void {
  if (!isTabbing()) event.preventDefault(); // Radix opens the tooltip unless the event is prevented
}

/**
 * A tooltip on hover, and on focus by the Tab key. It may only repeat or add to a name that the control has without it,
 * and it is announced with its control, so that it is not separate text at the end of the page.
 */
export function Tooltip({
  text,
  shortcut,
  children,
}: {
  text: ReactNode;
  shortcut?: string | undefined;
  children: ReactElement;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={onlyByTab}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="k-tip"
          aria-hidden
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={(event) => closedHint.add(event)}
        >
          {text}
          {shortcut ? <Kbd keys={shortcut} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
);
