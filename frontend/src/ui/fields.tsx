import { ChevronDown } from "lucide-react";
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";

interface Frame {
  label: string;
  /** Shows the label to screen readers only. */
  hideLabel?: boolean;
  hint?: ReactNode;
  /** Why the value is invalid; replaces the hint. */
  error?: ReactNode;
}

interface Ids {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

function Labelled({
  label,
  hideLabel,
  hint,
  error,
  disabled,
  className,
  quiet,
  isSet,
  children,
}: Frame & {
  disabled?: boolean | undefined;
  className?: string | undefined;
  quiet?: boolean;
  isSet?: boolean;
  children: (ids: Ids) => ReactNode;
}) {
  const id = useId();
  const note = error ?? hint;
  const ids: Ids = {
    id: id,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": note ? `${id}-note` : undefined,
  };
  return (
    <div className={className}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "k-label"}>
        {label}
      </label>
      <div
        className="k-field"
        data-bad={error ? "" : undefined}
        data-off={disabled ? "" : undefined}
        data-quiet={quiet ? "" : undefined}
        data-set={isSet ? "" : undefined}
      >
        {children(ids)}
      </div>
      {note ? (
        <p id={`${id}-note`} className="k-hint" data-bad={error ? "" : undefined} role={error ? "alert" : undefined}>
          {note}
        </p>
      ) : null}
    </div>
  );
}

export interface TextFieldProps extends Frame, Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  value: string;
  onChange(value: string): void;
  icon?: ReactNode;
  /** At the end of the field: a small button or a unit. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  hideLabel,
  hint,
  error,
  icon,
  end,
  onChange,
  className,
  ...otherProps
}: TextFieldProps) {
  return (
    <Labelled
      {...{ label, hint, error, className, disabled: otherProps.disabled, ...(hideLabel ? { hideLabel } : {}) }}
    >
      {(ids) => (
        <>
          {icon}
          <input type="text" autoComplete="off" {...otherProps} {...ids} onChange={(e) => onChange(e.target.value)} />
          {end}
        </>
      )}
    </Labelled>
  );
}

export interface TextAreaProps extends Frame, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange"> {
  value: string;
  onChange(value: string): void;
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea({ label, hideLabel, hint, error, onChange, className, ...otherProps }: TextAreaProps) {
  return (
    <Labelled
      {...{ label, hint, error, className, disabled: otherProps.disabled, ...(hideLabel ? { hideLabel } : {}) }}
    >
      {(ids) => <textarea {...otherProps} {...ids} onChange={(e) => onChange(e.target.value)} />}
    </Labelled>
  );
}

export interface Choice<V extends string = string> {
  value: V;
  label: string;
  disabled?: boolean;
  group?: string;
}

export interface SelectProps<V extends string>
  extends Frame, Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value"> {
  value: V;
  choices: readonly Choice<V>[];
  /** Without a frame, for filters beside a search: the first choice is the one that filters nothing. */
  quiet?: boolean;
  onChange(value: V): void;
}

/** A native select: it works with every screen reader and keyboard, and needs no <style>. */
export function Select<V extends string>({
  label,
  hideLabel,
  hint,
  error,
  choices,
  quiet = false,
  onChange,
  className,
  ...otherProps
}: SelectProps<V>) {
  const groups = [...new Set(choices.map((choice) => choice.group))];
  const option = (choice: Choice<V>) => (
    <option key={choice.value} value={choice.value} disabled={choice.disabled}>
      {choice.label}
    </option>
  );
  return (
    <Labelled
      {...{ label, hint, error, className, disabled: otherProps.disabled, ...(hideLabel ? { hideLabel } : {}) }}
      quiet={quiet}
      isSet={quiet && otherProps.value !== choices[0]?.value}
    >
      {(ids) => (
        <>
          <select {...otherProps} {...ids} onChange={(e) => onChange(e.target.value as V)}>
            {groups.map((group) => {
              const options = choices.filter((choice) => choice.group === group).map(option);
              return group ? (
                <optgroup key={group} label={group}>
                  {options}
                </optgroup>
              ) : (
                options
              );
            })}
          </select>
          <ChevronDown size={16} className="k-chevron" aria-hidden />
        </>
      )}
    </Labelled>
  );
}
