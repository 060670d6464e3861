import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import { Kbd, useAriaKeys } from "./Kbd";
import { Tooltip } from "./Tooltip";

interface Base extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: "plain" | "primary" | "quiet" | "danger" | "danger-full";
  size?: "normal" | "small";
  /** Shown in the tooltip, for example "mod+enter"; useShortcut or useCommands binds the key. */
  shortcut?: string;
  ref?: Ref<HTMLButtonElement>;
}

export interface ButtonProps extends Base {
  icon?: ReactNode;
  /** Work is in progress: the label says which, a spinner turns beside it, and further clicks do nothing. */
  busy?: boolean;
  /** Text for the tooltip when there is more to say than the label does. */
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
  const keys = useAriaKeys(shortcut);
  const button = (
    <button
      type="button"
      aria-keyshortcuts={keys}
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
  /** Its accessible name and its tooltip. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ kind = "quiet", size = "small", label, icon, shortcut, ...otherProps }: IconButtonProps) {
  const keys = useAriaKeys(shortcut);
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        aria-keyshortcuts={keys}
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

/** The primary action while it runs: the stage, the progress, and a way to stop, in place of the button. */
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
