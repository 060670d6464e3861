import { RotateCcw } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { conflictsOf, currentKeys, isChangeable, isSingle, setKeys } from "@/lib/bindings";
import { keysOf } from "@/lib/commands";
import { usePrefs } from "@/lib/prefs";
import { IconButton, Kbd, keyText, useFocusOnRemoval } from "@/ui";
import { useActionTitle } from "./useActionTitle";
import { reservedFor } from "./reserved";

const modifiers: readonly string[] = ["control", "shift", "alt", "meta", "altgraph", "capslock", "numlock", "dead"];

interface Props {
  /** The default keys, which name the action. */
  action: string;
  title: string;
}

/** Reads keys while it waits: one press, or two for an action that has two by default and begins with a character. */
function useCapture(isChord: boolean, done: (keys: string) => void) {
  const [pressed, setPressed] = useState<string | null>(null); // "" before the first key, null while it does not wait
  function onKeyDown(event: KeyboardEvent) {
    if (pressed === null || event.key === "Tab") return;
    const last = event.nativeEvent.key.toLowerCase();
    event.preventDefault();
    event.stopPropagation(); // no shortcut runs
    if (modifiers.includes(last)) return;
    const keys = keysOf(event.nativeEvent);
    if (keys === "escape") return setPressed(null);
    const all = pressed === "" ? keys : `${pressed} ${keys}`;
    if (isChord && pressed === "" && isSingle(keys)) return setPressed(keys);
    setPressed(null);
    done(all);
  }
  return { pressed, start: () => setPressed(""), stop: () => setPressed(null), onKeyDown };
}

/** The keys of one action: a press of the button waits for the new ones. */
export function KeyField({ action, title }: Props) {
  const { t, i18n } = useTranslation("settings");
  const changes = usePrefs();
  const titleOf = useActionTitle();
  const [problem, setProblem] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const reset = useFocusOnRemoval(button);
  const capture = useCapture(action.includes(" "), (keys) => {
    const reason = reservedFor(keys);
    const [other] = conflictsOf(action, keys, changes);
    const words = { keys: keyText(keys, i18n.language), title: other ? titleOf(other) : "" };
    setProblem(
      reason ? t(`keyboard.reserved.${reason}`, words) : other === undefined ? "" : t("keyboard.conflict", words),
    );
    if (!reason && other === undefined) setKeys(action, keys);
  });
  if (!isChangeable(action)) return <Kbd keys={action} />;
  const now = currentKeys(action, changes);
  const shown = now === null ? t("keyboard.off") : keyText(now, i18n.language);
  const waits = capture.pressed !== null;
  return (
    <span className="inline-flex max-w-60 flex-wrap items-center justify-end gap-1">
      {changes.keys[action] === undefined ? null : (
        <IconButton
          ref={reset}
          label={t("resetNamed", { name: title })}
          icon={<RotateCcw size={14} />}
          onClick={() => setKeys(action, action)}
        />
      )}
      <button
        ref={button}
        type="button"
        className="k-btn -me-2.5"
        data-size="small"
        data-kind="quiet"
        aria-label={t("keyboard.change", { title, keys: waits ? t("keyboard.press") : shown })}
        aria-pressed={waits}
        onClick={() => {
          setProblem("");
          capture.start();
        }}
        onBlur={capture.stop}
        onKeyDown={capture.onKeyDown}
      >
        {waits ? t("keyboard.press") : now === null ? shown : <Kbd keys={action} />}
      </button>
      {problem ? (
        <span role="alert" className="basis-full text-end text-12 text-danger">
          {problem}
        </span>
      ) : null}
    </span>
  );
}
