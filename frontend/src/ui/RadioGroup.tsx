import { useId, type ReactNode, type Ref } from "react";

export interface RadioChoice<V extends string> {
  value: V;
  label: string;
  /** More about the choice, below its label. */
  detail?: ReactNode;
  disabled?: boolean;
}

interface Props<V extends string> {
  label: string;
  /** Null while nothing is chosen. */
  value: V | null;
  choices: readonly RadioChoice<V>[];
  /** Why the choice is invalid, such as a missing one. */
  error?: string | null;
  onChange(value: V): void;
  /** The first choice, to focus it. */
  ref?: Ref<HTMLInputElement>;
}

/** A choice of a few options that need more than a word each; unlike a SegmentedControl it can be without a value. */
export function RadioGroup<V extends string>({ label, value, choices, error, onChange, ref }: Props<V>) {
  const id = useId();
  return (
    <fieldset
      className="k-radios"
      aria-describedby={error ? `${id}-error` : undefined}
      data-bad={error ? "" : undefined}
    >
      <legend className="k-label">{label}</legend>
      {choices.map((choice, i) => (
        <div key={choice.value} className="k-radio">
          <input
            ref={i === 0 ? ref : undefined}
            id={`${id}-${String(i)}`}
            type="radio"
            name={id}
            checked={choice.value === value}
            disabled={choice.disabled}
            aria-describedby={choice.detail ? `${id}-${String(i)}-detail` : undefined}
            onChange={() => onChange(choice.value)}
          />
          <div className="min-w-0">
            <label htmlFor={`${id}-${String(i)}`}>{choice.label}</label>
            {choice.detail ? (
              <div id={`${id}-${String(i)}-detail`} className="text-12 text-ink-2">
                {choice.detail}
              </div>
            ) : null}
          </div>
        </div>
      ))}
      {error ? (
        <p id={`${id}-error`} className="k-hint" data-bad="" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
