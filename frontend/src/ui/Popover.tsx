import { Popover as Radix } from "radix-ui";
import { createContext, useContext, useState, type ComponentProps, type KeyboardEvent } from "react";
import { closedHint } from "./Tooltip";

const Close = createContext<() => void>(() => undefined);

function Root({ open, onOpenChange, ...otherProps }: ComponentProps<typeof Radix.Root>) {
  const [isOpen, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <Close value={() => change(false)}>
      <Radix.Root {...otherProps} open={open ?? isOpen} onOpenChange={change} />
    </Close>
  );
}

function Content({ onKeyDown, ...otherProps }: ComponentProps<typeof Radix.Content>) {
  const close = useContext(Close);
  function closeWithHint(event: KeyboardEvent<HTMLDivElement>) {
    onKeyDown?.(event);
    if (closedHint.delete(event.nativeEvent)) close();
  }
  return <Radix.Content {...otherProps} onKeyDown={closeWithHint} />;
}

/** Radix's popover, which closes at the first Escape also while a tooltip is open. */
export const Popover = { Root, Trigger: Radix.Trigger, Anchor: Radix.Anchor, Portal: Radix.Portal, Content };
