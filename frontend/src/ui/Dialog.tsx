import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { CSSProperties, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./Button";

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** One sentence about it for screen readers; the body says it anyway where it matters. */
  description?: string;
  children: ReactNode;
  /** In pixels. */
  width?: number;
  /** The body brings its own paddings and scrolling. */
  bare?: boolean;
}

function Head({ title, hidden }: { title: string; hidden?: boolean }) {
  const { t } = useTranslation();
  if (hidden) return <Radix.Title className="sr-only">{title}</Radix.Title>;
  return (
    <header>
      <Radix.Title>{title}</Radix.Title>
      <Radix.Close asChild><IconButton label={t("close")} icon={<X size={16} />} /></Radix.Close>
    </header>
  );
}

function Box({ kind, props, footer, hideTitle = false, className = "" }: { kind: "k-dialog" | "k-sheet"; props: Props; footer?: ReactNode; hideTitle?: boolean; className?: string }) {
  const style = props.width ? ({ "--wide": `${props.width}px` } as CSSProperties) : undefined;
  return (
    <Radix.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="k-scrim" />
        <Radix.Content className={`${kind} ${className}`} style={style} {...(props.description ? {} : { "aria-describedby": undefined })}>
          <Head title={props.title} hidden={hideTitle} />
          {props.description ? <Radix.Description className="sr-only">{props.description}</Radix.Description> : null}
          {props.bare ? props.children : <div className="k-dialog-body">{props.children}</div>}
          {footer ? <footer>{footer}</footer> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Something that must be answered or chosen now. Dialogs never stack. */
export function Dialog({ footer, hideTitle, className, ...props }: Props & { footer?: ReactNode; hideTitle?: boolean; className?: string }) {
  return <Box kind="k-dialog" props={props} footer={footer} hideTitle={hideTitle ?? false} className={className ?? ""} />;
}

/** Details that come in from the end of the line and go again. */
export function Sheet(props: Props) {
  return <Box kind="k-sheet" props={props} />;
}
