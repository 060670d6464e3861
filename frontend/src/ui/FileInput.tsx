import type { Ref } from "react";

interface Props {
  /** Its click opens the file chooser of the system: of a button, because the field itself is never visible. */
  ref: Ref<HTMLInputElement>;
  label: string;
  /** File name extensions and media types. */
  accept: string;
  multiple?: boolean;
  onChoose: (files: [File, ...File[]]) => void;
}

/** The field behind a button that asks for files. */
export function FileInput({ ref, label, accept, multiple, onChoose }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={accept}
      multiple={multiple}
      aria-label={label}
      onChange={({ target }) => {
        const [first, ...others] = target.files ?? [];
        if (first) onChoose([first, ...others]);
        target.value = ""; // the same file can be chosen again
      }}
    />
  );
}
