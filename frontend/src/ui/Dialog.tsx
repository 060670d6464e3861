import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type CSSProperties, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./Button";
import { FloatContainer } from "./FloatContainer";
import { returnFocus } from "./focusTrail";
import { closedHint } from "./Tooltip";

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** A one-sentence description for screen readers; sighted people get it from the body. */
  description?: string;
  children: ReactNode;
  /** In pixels. */
  width?: number;
  /** The body sets its own padding and scrolling. */
  bare?: boolean;
}

function Head({ title, hidden }: { title: string; hidden?: boolean }) {
  const { t } = useTranslation();
  if (hidden) return <Radix.Title className="sr-only">{title}</Radix.Title>;
  return (
    <header>
      <Radix.Title>{title}</Radix.Title>
      <Radix.Close asChild>
        <IconButton label={t("close")} icon={<X size={16} />} />
      </Radix.Close>
    </header>
  );
}

const fields =
  "input:not([type=hidden]), textarea, select, [role=radio][aria-checked=true], [role=slider], [contenteditable=true]";
const controls = "button, a[href], [tabindex]:not([tabindex='-1'])";

/**
 * Where a dialog puts the focus when none of its controls requests it: the first input, else the first answer, which
 * is the one that changes nothing. Never on Close, because Esc does the same. A sheet focuses its content for reading.
 */
function firstControl(box: HTMLElement, isSheet: boolean): HTMLElement {
  const usable = (selector: string) =>
    [...box.querySelectorAll<HTMLElement>(selector)].find(
      (element) => !element.closest("header, [hidden], [aria-hidden=true]") && !element.matches(":disabled"),
    );
  const found = isSheet ? undefined : (usable(fields) ?? usable(":scope > footer button") ?? usable(controls));
  return found ?? box;
}

function Box({
  kind,
  props,
  footer,
  hideTitle = false,
  className = "",
}: {
  kind: "k-dialog" | "k-sheet";
  props: Props;
  footer?: ReactNode;
  hideTitle?: boolean;
  className?: string;
}) {
  const style = props.width ? ({ "--wide": `${props.width}px` } as CSSProperties) : undefined;
  function onOpenAutoFocus(event: Event) {
    event.preventDefault();
    firstControl(event.currentTarget as HTMLElement, kind === "k-sheet").focus({ preventScroll: true });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (closedHint.delete(event.nativeEvent)) props.onOpenChange(false);
  }
  return (
    <Radix.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="k-scrim" />
        <Radix.Content
          className={`${kind} ${className}`}
          style={style}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={returnFocus} // dialogs are opened from code and have no trigger
          onKeyDown={onKeyDown}
          {...(props.description ? {} : { "aria-describedby": undefined })}
        >
          <FloatContainer>
            <Head title={props.title} hidden={hideTitle} />
            {props.description ? <Radix.Description className="sr-only">{props.description}</Radix.Description> : null}
            {props.bare ? props.children : <div className="k-dialog-body">{props.children}</div>}
            {footer ? <footer>{footer}</footer> : null}
          </FloatContainer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A question or choice that must be answered first. Dialogs never stack. */
export function Dialog({
  footer,
  hideTitle,
  className,
  ...props
}: Props & { footer?: ReactNode; hideTitle?: boolean; className?: string }) {
  return (
    <Box kind="k-dialog" props={props} footer={footer} hideTitle={hideTitle ?? false} className={className ?? ""} />
  );
}

/** Details that slide in from the end edge. */
export function Sheet(props: Props) {
  return <Box kind="k-sheet" props={props} />;
}
