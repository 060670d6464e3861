import { Tooltip as Radix } from "radix-ui";
import type { FocusEvent, ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";
import { isTabbing } from "./tabbing";

/** Presses of Escape that closed a hint: a dialog below it closes at the same press, as if there had been no hint. */
export const closedHint = new WeakSet<Event>();

/** A focus that a dialog or a script gave opens nothing: the person did not go there. */
function onlyByTab(event: FocusEvent): void {
  if (!isTabbing()) event.preventDefault(); // Radix opens for what nobody prevented
}

/**
 * A hint on hover, and on focus by the Tab key. It must only repeat or add to a name that the control has without it,
 * and it is read with its control, so that it is no text of its own at the end of the page.
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
