import { useDocumentTitle } from "@/lib/documentTitle";
import { maxTitle } from "./name";
import "./title.css";

interface Props {
  label: string;
  value: string;
  /** The name that the document has without a title. */
  placeholder: string;
  onChange(title: string): void;
  /** Enter or arrow down: the way on to the text. */
  onLeave?(): void;
}

/** The title of a document, above its text. */
export function TitleField({ label, value, placeholder, onChange, onLeave }: Props) {
  useDocumentTitle(value || placeholder);
  return (
    <input
      className="dr-title"
      aria-label={label}
      value={value}
      maxLength={maxTitle}
      placeholder={placeholder}
      dir="auto"
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (!onLeave || event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        onLeave();
      }}
    />
  );
}
