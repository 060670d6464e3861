import { Switch } from "@/ui";

interface Props {
  label: string;
  hint: string;
  checked: boolean;
  onChange(checked: boolean): void;
}

/** A switch with its label and a sentence about it. */
export function SwitchRow({ label, hint, checked, onChange }: Props) {
  return (
    <div className="flex items-center justify-between gap-3">
      <span>
        <span className="block">{label}</span>
        <span className="text-12 text-ink-3">{hint}</span>
      </span>
      <Switch label={label} checked={checked} onChange={onChange} />
    </div>
  );
}
