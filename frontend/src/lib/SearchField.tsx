import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useShortcut } from "@/lib/commands";
import { IconButton, TextField } from "@/ui";

interface Props {
  label: string;
  hint: string;
  clearLabel: string;
  /** How much was found, in words; empty while it is not known. */
  found: string;
  className: string;
  value: string;
  onChange(value: string): void;
  /** Moves the focus to the list below. */
  onDown(): void;
}

/** The search above a list: "/" goes to it, the down arrow to the list, and Escape clears it. */
export function SearchField({ label, hint, clearLabel, found, className, value, onChange, onDown }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", label, () => {
    field.current?.focus();
    field.current?.select();
  });
  const clear = () => {
    onChange("");
    field.current?.focus();
  };
  return (
    <TextField
      ref={field}
      label={label}
      hideLabel
      placeholder={hint}
      className={className}
      value={value}
      maxLength={200}
      onChange={onChange}
      icon={<Search size={16} aria-hidden />}
      end={
        <>
          <span role="status" className="text-12 whitespace-nowrap text-ink-3">
            {found}
          </span>
          {value ? <IconButton label={clearLabel} icon={<X size={14} />} className="-me-2" onClick={clear} /> : null}
        </>
      }
      onKeyDown={(event) => {
        if (event.key === "ArrowDown") {
          event.preventDefault();
          onDown();
        }
        if (event.key === "Escape" && value) {
          event.preventDefault();
          clear();
        }
      }}
    />
  );
}
