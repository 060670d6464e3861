import { Cloud, X } from "lucide-react";
import type { CSSProperties, HTMLAttributes, ReactNode } from "react";
import { useTranslation } from "react-i18next";

export type Tone = "plain" | "accent" | "hosted" | "ok" | "warn" | "danger" | "speaker" | "paused" | "unknown";

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="k-badge" data-tone={tone}>
      {children}
    </span>
  );
}

interface ChipProps {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
  pressed?: boolean;
  onClick?(): void;
  onRemove?(): void;
  removeLabel?: string;
}

/** A badge; a toggle with `pressed` and `onClick`; removable with `onRemove`. */
export function Chip({
  tone = "plain",
  icon,
  children,
  className = "",
  pressed,
  onClick,
  onRemove,
  removeLabel,
}: ChipProps) {
  const { t } = useTranslation();
  if (onClick)
    return (
      <button type="button" className={`k-chip ${className}`} data-tone={tone} aria-pressed={pressed} onClick={onClick}>
        {icon}
        {children}
      </button>
    );
  return (
    <span className={`k-chip ${className}`} data-tone={tone}>
      {icon}
      {children}
      {onRemove ? (
        <button type="button" aria-label={removeLabel ?? t("remove")} onClick={onRemove}>
          <X size={12} aria-hidden />
        </button>
      ) : null}
    </span>
  );
}

const percent = (part: number): string => `${Math.round(Math.min(1, Math.max(0, part)) * 1000) / 10}%`;

/** A progress bar, always with text. `value` is null while the progress is unknown. */
export function ProgressBar({
  label,
  value,
  text,
  tone = "plain",
}: {
  label: string;
  value: number | null;
  text: ReactNode;
  tone?: Tone;
}) {
  return (
    // Its changes are not announced, also inside a region whose other changes are.
    <div aria-live="off">
      <div className="mb-1 text-12 text-ink-2">{text}</div>
      <span
        className="k-bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={value === null ? undefined : Math.round(value * 100)}
        data-tone={value === null ? "unknown" : tone}
      >
        <i style={{ "--p": percent(value ?? 0) } as CSSProperties} />
      </span>
    </div>
  );
}

/** How a total is divided: parts 0..1 with a token as colour. `text` says the same in words. */
export function Meter({
  parts,
  text,
}: {
  parts: readonly { name: string; part: number; colour: string }[];
  text: string;
}) {
  return (
    <div className="k-parts" role="img" aria-label={text}>
      {parts.map((p) => (
        <i key={p.name} style={{ "--p": percent(p.part), "--c": p.colour } as CSSProperties} />
      ))}
    </div>
  );
}

export function Card({ children, className = "", ...otherProps }: HTMLAttributes<HTMLDivElement>) {
  return (
    <div className={`k-card ${className}`} {...otherProps}>
      {children}
    </div>
  );
}

interface RowProps extends HTMLAttributes<HTMLDivElement> {
  height?: "normal" | "dense" | "tall";
  selected?: boolean;
}

/** One row of a list with a hairline below it; in a listbox it sets aria-selected. */
export function Row({ height = "normal", selected, className = "", ...otherProps }: RowProps) {
  const choice =
    otherProps.role === "option" || otherProps.role === "row"
      ? { "aria-selected": selected ?? false }
      : { "data-selected": selected ? "" : undefined };
  return (
    <div
      className={`k-row ${className}`}
      data-row=""
      data-tall={height === "tall" ? "" : undefined}
      data-dense={height === "dense" ? "" : undefined}
      {...choice}
      {...otherProps}
    />
  );
}

/** An empty state: why there is nothing, and what to do next. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="k-empty">
      {icon}
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

/** A placeholder for loading content; invisible for the first 300 ms. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <div className={`k-skel ${className}`} aria-hidden />;
}

function hash(text: string): number {
  let h = 2166136261;
  for (const c of text) h = Math.imul(h ^ (c.codePointAt(0) ?? 0), 16777619);
  return h >>> 0;
}

/** The hue of a portrait and that of its shade, which leans towards violet, so that all of them fit together. */
const faceHues = [
  [20, 345],
  [45, 15],
  [75, 45],
  [150, 185],
  [180, 215],
  [205, 240],
  [230, 265],
  [255, 285],
  [280, 310],
  [310, 285],
  [340, 305],
] as const;

/** The avatar of a voice: one of a palette by its id, and a mark on hosted ones. */
export function Portrait({ id, size = 32, hosted = false }: { id: string; size?: number; hosted?: boolean }) {
  const [hue, shade] = faceHues[hash(id) % faceHues.length] ?? faceHues[0];
  return (
    <span
      className="k-face"
      aria-hidden
      style={{ "--hue": hue, "--shade": shade, "--fs": `${size}px` } as CSSProperties}
    >
      {hosted ? (
        <span className="k-face-mark">
          <Cloud size={12} strokeWidth={2.75} />
        </span>
      ) : null}
    </span>
  );
}
