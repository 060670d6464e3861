import { Check, Minus } from "lucide-react";
import {
  Checkbox as RadixCheckbox,
  Slider as RadixSlider,
  Switch as RadixSwitch,
  Tabs as RadixTabs,
  ToggleGroup,
} from "radix-ui";
import type { ReactNode } from "react";

interface OnOff {
  label: string;
  checked: boolean;
  onChange(on: boolean): void;
  disabled?: boolean;
  "aria-describedby"?: string;
}

export function Switch({ label, checked, onChange, ...otherProps }: OnOff) {
  return (
    <RadixSwitch.Root
      className="k-switch"
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      {...otherProps}
    >
      <RadixSwitch.Thumb />
    </RadixSwitch.Root>
  );
}

export function Checkbox({
  label,
  hideLabel,
  checked,
  onChange,
  ...otherProps
}: Omit<OnOff, "checked"> & { checked: boolean | "mixed"; hideLabel?: boolean }) {
  const box = (
    <RadixCheckbox.Root
      className="k-check"
      aria-label={label}
      checked={checked === "mixed" ? "indeterminate" : checked}
      onCheckedChange={(on) => onChange(on === true)}
      {...otherProps}
    >
      <RadixCheckbox.Indicator>
        {checked === "mixed" ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
      </RadixCheckbox.Indicator>
    </RadixCheckbox.Root>
  );
  // The box itself carries the accessible name, so the text beside it is for sight and pointer only.
  return hideLabel ? (
    box
  ) : (
    <span className="inline-flex min-h-7 items-center gap-2">
      {box}
      <button type="button" tabIndex={-1} aria-hidden onClick={() => onChange(checked !== true)}>
        {label}
      </button>
    </span>
  );
}

export interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  text: string;
  onChange(value: number): void;
  onCommit?(value: number): void;
  disabled?: boolean;
}

/** A slider with its label and its value as text above it. */
export function Slider({ label, value, min, max, step, text, onChange, onCommit, disabled = false }: SliderProps) {
  return (
    <div>
      <div className="flex justify-between gap-2 text-12">
        <span className="font-medium text-ink-2" aria-hidden>
          {label}
        </span>
        <span>{text}</span>
      </div>
      <RadixSlider.Root
        className="k-slider"
        {...{ min, max, step, disabled }}
        value={[value]}
        dir={document.dir === "rtl" ? "rtl" : "ltr"}
        onValueChange={([next]) => next !== undefined && onChange(next)}
        onValueCommit={([next]) => next !== undefined && onCommit?.(next)}
      >
        <RadixSlider.Track className="k-slider-track">
          <RadixSlider.Range className="k-slider-range" />
        </RadixSlider.Track>
        <RadixSlider.Thumb className="k-slider-thumb" aria-label={label} aria-valuetext={text} />
      </RadixSlider.Root>
    </div>
  );
}

export interface Tab<V extends string> {
  value: V;
  label: string;
  count?: number;
  content: ReactNode;
}

export function Tabs<V extends string>({
  label,
  value,
  onChange,
  tabs,
}: {
  label: string;
  value: V;
  onChange(value: V): void;
  tabs: readonly Tab<V>[];
}) {
  return (
    <RadixTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as V)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <RadixTabs.List className="k-tabs" aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.value} value={tab.value}>
            {tab.label}
            {tab.count === undefined ? null : <span className="k-badge">{tab.count}</span>}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="flex min-h-0 flex-1 flex-col" tabIndex={-1}>
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

export interface Segment<V extends string> {
  value: V;
  label: string;
  icon?: ReactNode;
  disabled?: boolean;
}

interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  segments: readonly Segment<V>[];
  wide?: boolean;
  onChange(value: V): void;
}

/** A choice of two to five short options; `wide` divides the full width among them. */
export function SegmentedControl<V extends string>({
  label,
  value,
  segments,
  wide = false,
  onChange,
}: SegmentedProps<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      className="k-seg"
      data-wide={wide || undefined}
      aria-label={label}
      value={value}
      onValueChange={(next) => next && onChange(next as V)}
    >
      {segments.map((s) => (
        <ToggleGroup.Item key={s.value} value={s.value} disabled={s.disabled ?? false}>
          {s.icon}
          {s.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
