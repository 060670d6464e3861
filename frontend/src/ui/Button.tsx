import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import { Kbd } from "./Kbd";
import { Tooltip } from "./Tooltip";

interface Base extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: "plain" | "primary" | "quiet" | "danger" | "danger-full";
  size?: "normal" | "small";
  /** Shown in the tooltip, for example "mod+enter"; binding the key is the work of useShortcut or useCommands. */
  shortcut?: string;
  ref?: Ref<HTMLButtonElement>;
}

export interface ButtonProps extends Base {
  icon?: ReactNode;
  /** Work is on its way: the words say which, a mark turns beside them, and a second click does nothing. */
  busy?: boolean;
  /** Words for the tooltip when there is more to say than the button does. */
  hint?: string;
}

export function Button({
  kind = "plain",
  size = "normal",
  icon,
  busy = false,
  shortcut,
  hint,
  children,
  onClick,
  ...otherProps
}: ButtonProps) {
  const button = (
    <button
      type="button"
      {...otherProps}
      className={`k-btn ${otherProps.className ?? ""}`}
      data-kind={kind}
      data-size={size}
      aria-busy={busy || undefined}
      aria-disabled={busy || otherProps["aria-disabled"] || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <span className="k-spin" aria-hidden /> : icon}
      {children}
    </button>
  );
  if (!shortcut && !hint) return button;
  return (
    <Tooltip text={hint ?? children} shortcut={shortcut}>
      {button}
    </Tooltip>
  );
}

export interface IconButtonProps extends Base {
  /** Its name for screen readers and its tooltip. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ kind = "quiet", size = "small", label, icon, shortcut, ...otherProps }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        {...otherProps}
        className={`k-btn ${otherProps.className ?? ""}`}
        data-kind={kind}
        data-size={size}
        data-icon=""
      >
        {icon}
      </button>
    </Tooltip>
  );
}

/** The primary action while it works: what is happening, how far, and a way to stop, at the place of the button. */
export function ProgressButton({
  text,
  value,
  onStop,
  shortcut,
}: {
  text: ReactNode;
  value: number;
  onStop(): void;
  shortcut?: string;
}) {
  const { t } = useTranslation();
  return (
    <div className="k-btnp" role="group">
      <i style={{ "--p": `${Math.round(value * 100)}%` } as React.CSSProperties} />
      <span
        role="progressbar"
        aria-valuenow={Math.round(value * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={typeof text === "string" ? text : t("progress")}
      >
        {text}
      </span>
      <button type="button" onClick={onStop}>
        {t("stop")}
        {shortcut ? <Kbd keys={shortcut} /> : null}
      </button>
    </div>
  );
}
