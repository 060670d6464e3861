import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fold } from "@/lib/fold";
import { Button, Checkbox, Dialog } from "@/ui";
import type { AsText, FoundName } from "./pasted/speakers";

interface Props {
  /** The names that were found, each of which may be a speaker or text. */
  names: readonly FoundName[];
  /** Returns the number of turns, and what will not be spoken, if some names are text. */
  outcome(asText: AsText): { turns: number; left: readonly string[] };
  /** What the buttons say that take the turns, or all of it as text. */
  labels: { turns(count: number): string; text: string };
  takeTurns(asText: AsText): void;
  takeText(): void;
  cancel(): void;
}

function Left({ items }: { items: readonly string[] }) {
  const { t } = useTranslation("script");
  return (
    <>
      <p>{t("check.text", { count: items.length })}</p>
      {/* A long list scrolls, so it must be focusable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className="sc-left" aria-label={t("check.left")} tabIndex={0}>
        {items.map((line, i) => (
          <li key={i} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </>
  );
}

interface NamesProps {
  names: readonly FoundName[];
  asText: AsText;
  onChange(name: FoundName, isSpeaker: boolean): void;
}

/** Names that may be none, with the line that each of them has. */
function DoubtfulNames({ names, asText, onChange }: NamesProps) {
  const { t } = useTranslation("script");
  return (
    <>
      <p>{t("check.doubtfulText", { count: names.length })}</p>
      <ul className="sc-left" aria-label={t("check.doubtful")}>
        {names.map((one) => (
          <li key={one.name} dir="auto">
            <Checkbox
              label={one.example}
              checked={!asText.has(fold(one.name))}
              onChange={(isSpeaker) => onChange(one, isSpeaker)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Speakers({ names, asText, onChange }: NamesProps) {
  const { t } = useTranslation("script");
  return (
    <fieldset className="sc-speakers">
      <legend>{t("check.speakers")}</legend>
      {names.map((one) => (
        <div key={one.name} dir="auto">
          <Checkbox
            label={one.name}
            checked={!asText.has(fold(one.name))}
            onChange={(isSpeaker) => onChange(one, isSpeaker)}
          />
          <p className="truncate text-12 text-ink-2">
            {t("check.often", { count: one.count })} · {one.example}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

/** Shows the speakers of a script in a text, name by name, and what will not be spoken, before it is taken. */
export function PastedDialog({ names, outcome, labels, takeTurns, takeText, cancel }: Props) {
  const { t } = useTranslation("script");
  const [asText, setAsText] = useState<AsText>(
    () => new Set(names.filter(({ isSpeaker }) => !isSpeaker).map(({ name }) => fold(name))),
  );
  function change({ name }: FoundName, isSpeaker: boolean): void {
    const next = new Set(asText);
    if (isSpeaker) next.delete(fold(name));
    else next.add(fold(name));
    setAsText(next);
  }
  const { turns, left } = outcome(asText);
  const hasSpeakers = names.some(({ name }) => !asText.has(fold(name)));
  const doubtful = names.filter(({ isDoubtful }) => isDoubtful);
  const certain = names.filter(({ isDoubtful }) => !isDoubtful);
  return (
    <Dialog
      open
      onOpenChange={cancel}
      width={560}
      title={t("check.title")}
      footer={
        <>
          <Button onClick={cancel}>{t("common:cancel")}</Button>
          <Button kind={hasSpeakers ? "plain" : "primary"} onClick={takeText}>
            {labels.text}
          </Button>
          {hasSpeakers ? (
            <Button kind="primary" onClick={() => takeTurns(asText)}>
              {labels.turns(turns)}
            </Button>
          ) : null}
        </>
      }
    >
      {doubtful.length > 0 ? <DoubtfulNames names={doubtful} asText={asText} onChange={change} /> : null}
      {certain.length > 0 ? <Speakers names={certain} asText={asText} onChange={change} /> : null}
      {hasSpeakers && left.length > 0 ? <Left items={left} /> : null}
    </Dialog>
  );
}
