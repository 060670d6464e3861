import { useState } from "react";
import { TextField, type TextFieldProps } from "./fields";

/** A text field that saves on Enter and on blur; Esc restores the saved value. */
export function SavedField({
  value,
  onSave,
  ...otherProps
}: Omit<TextFieldProps, "onChange" | "onBlur" | "onKeyDown"> & { onSave(value: string): void }) {
  const [typed, setTyped] = useState<string | null>(null);
  function save() {
    if (typed !== null && typed.trim() !== value) onSave(typed.trim());
    if (!otherProps.error) setTyped(null);
  }
  return (
    <TextField
      {...otherProps}
      value={typed ?? value}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(e) => {
        if (e.key === "Escape") setTyped(null);
        if (e.key !== "Enter") return;
        e.preventDefault(); // otherwise the same key press would answer the confirmation that it may open
        save();
      }}
    />
  );
}
