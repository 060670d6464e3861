import type { ButtonHTMLAttributes, CSSProperties, KeyboardEvent, MouseEvent, ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import { useAriaKeys } from "./Kbd";
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
  /** Why it cannot be used now, null where it can: it keeps its place in the tab order, and the tooltip says so. */
  unavailable?: string | null;
}

export function Button({
  kind = "plain",
  size = "normal",
  icon,
  busy = false,
  shortcut,
  unavailable = null,
  hint = unavailable ?? undefined,
  children,
  onClick,
  ...otherProps
}: ButtonProps) {
  const keys = useAriaKeys(shortcut);
  const isOff = busy || unavailable !== null;
  const button = (
    <button
      type="button"
      aria-keyshortcuts={keys}
      {...otherProps}
      className={`k-btn ${otherProps.className ?? ""}`}
      data-kind={kind}
      data-size={size}
      aria-busy={busy || undefined}
      aria-disabled={isOff || otherProps["aria-disabled"] || undefined}
      onClick={isOff ? undefined : onClick}
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

interface Action extends Omit<ButtonProps, "kind"> {
  /** An ActionProgress while the action runs, else null. */
  progress: ReactNode;
  onStop(): void;
}

/** The primary action of a screen. While it runs, the same button, which keeps the focus, stops it. */
export function ActionButton({ progress, onStop, children, ...action }: Action) {
  const { t } = useTranslation();
  const isRunning = progress !== null;
  /** After a click, Space is for the player: it must not stop what was started. A key leaves the focus here. */
  function onClick(event: MouseEvent<HTMLButtonElement>) {
    if (!event.currentTarget.matches(":focus-visible")) event.currentTarget.blur();
    if (!isRunning) action.onClick?.(event);
    else if (event.detail !== 2) onStop(); // the second click of a double click meant what the first one has started
  }
  /** A key that is held down does not stop what it has just started. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  }
  return (
    <div className={isRunning ? "k-btnp" : "contents"} role={isRunning ? "group" : undefined}>
      {progress}
      <Button
        {...(isRunning ? { ref: action.ref } : { kind: "primary", ...action })}
        {...(action.hint ? { hint: isRunning ? t("stop") : action.hint } : {})}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        {isRunning ? t("stop") : children}
      </Button>
    </div>
  );
}

/** The stage and the progress of the primary action. */
export function ActionProgress({ text, value }: { text: string; value: number }) {
  const percent = Math.round(value * 100);
  return (
    <>
      <i style={{ "--p": `${percent}%` } as CSSProperties} />
      <span role="progressbar" aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100} aria-label={text}>
        {text}
      </span>
    </>
  );
}
