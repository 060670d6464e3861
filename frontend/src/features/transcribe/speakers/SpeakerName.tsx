import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  name: string;
  disabled?: boolean;
  onRename(name: string): void;
}

const focus = (field: HTMLInputElement | null) => field?.focus();

/** The name of a speaker, which becomes a field when it is clicked: Enter and leaving it save, Escape does not. */
export function SpeakerName({ name, disabled = false, onRename }: Props) {
  const { t } = useTranslation("speakers");
  const [edit, setEdit] = useState<{ of: string; text: string } | null>(null);
  const typed = edit?.of === name ? edit.text : null; // another window may have renamed the speaker
  const setTyped = (text: string | null) => setEdit(text === null ? null : { of: name, text });
  const button = useRef<HTMLButtonElement>(null);
  const isLeft = useRef(false); // by a key, so that leaving the field does not save it again

  function leave(next: string | null) {
    isLeft.current = true;
    setTyped(null);
    requestAnimationFrame(() => button.current?.focus());
    if (next !== null) onRename(next);
  }
  if (typed !== null)
    return (
      <input
        className="tr-name-field"
        aria-label={t("rename", { name })}
        dir="auto"
        size={Math.max(8, Math.min(24, typed.length + 1))}
        maxLength={100}
        value={typed}
        ref={focus}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          if (isLeft.current) return;
          setTyped(null);
          onRename(typed);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
          event.preventDefault(); // the same key would answer the dialog that it may open
          event.stopPropagation();
          leave(event.key === "Enter" ? typed : null);
        }}
      />
    );
  return (
    <button
      ref={button}
      type="button"
      className="tr-name truncate"
      aria-label={t("rename", { name })}
      title={t("rename", { name })}
      disabled={disabled}
      onClick={() => {
        isLeft.current = false;
        setTyped(name);
      }}
    >
      <bdi>{name}</bdi>
    </button>
  );
}
