import { cloneElement, forwardRef, isValidElement, type ElementType, type ReactElement, type ReactNode } from "react";

interface Props {
  as?: ElementType;
  children?: ReactNode;
  forwardProps?: boolean;
  allowPinchZoom?: boolean;
  shards?: unknown;
  enabled?: boolean;
  inert?: boolean;
  noIsolation?: boolean;
  removeScrollBar?: boolean;
  gapMode?: string;
}

/**
 * Replaces the package react-remove-scroll, with which Radix dialogs and menus stop the page behind them from
 * scrolling. It writes a <style> element, which the server's policy forbids, and our page never scrolls as a whole.
 */
export const RemoveScroll = forwardRef<HTMLElement, Props>(function RemoveScroll(props, ref) {
  const {
    as: Root = "div",
    children,
    forwardProps,
    allowPinchZoom,
    shards,
    enabled,
    inert,
    noIsolation,
    removeScrollBar,
    gapMode,
    ...otherProps
  } = props;
  void [allowPinchZoom, shards, enabled, inert, noIsolation, removeScrollBar, gapMode];
  if (forwardProps && isValidElement(children)) {
    return cloneElement(children as ReactElement<Record<string, unknown>>, { ...otherProps, ref });
  }
  return (
    <Root {...otherProps} ref={ref}>
      {children}
    </Root>
  );
});

export default RemoveScroll;
