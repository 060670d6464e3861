import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";

/** A hint on hover and focus. It must only repeat or add to a name that the control has without it. */
export function Tooltip({ text, shortcut, children }: { text: ReactNode; shortcut?: string | undefined; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="k-tip" sideOffset={6} collisionPadding={8}>
          {text}
          {shortcut ? <Kbd keys={shortcut} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = ({ children }: { children: ReactNode }) => <Radix.Provider delayDuration={500} skipDelayDuration={200}>{children}</Radix.Provider>;
