import { useTranslation } from "react-i18next";
import { Button, Dialog } from "@/ui";

interface Props {
  /** Turns of speakers who may be none, as they are written. */
  doubtful: readonly string[];
  /** What will be left out and not spoken. */
  left: readonly string[];
  /** What the buttons say that take the turns, or the text as it is. */
  labels: { turns: string; text: string };
  takeTurns(): void;
  takeText(): void;
  cancel(): void;
}

function List({ label, items }: { label: string; items: readonly string[] }) {
  return (
    // A long list scrolls, so it must be focusable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className="sc-left" aria-label={label} tabIndex={0}>
      {items.map((line, i) => (
        <li key={i} dir="auto">
          {line}
        </li>
      ))}
    </ul>
  );
}

/** Shows what of the script in a text is doubtful or will not be spoken, before it is taken. */
export function PastedDialog({ doubtful, left, labels, takeTurns, takeText, cancel }: Props) {
  const { t } = useTranslation("script");
  return (
    <Dialog
      open
      onOpenChange={cancel}
      width={560}
      title={t("check.title")}
      footer={
        <>
          <Button onClick={cancel}>{t("common:cancel")}</Button>
          <Button onClick={takeText}>{labels.text}</Button>
          <Button kind="primary" onClick={takeTurns}>
            {labels.turns}
          </Button>
        </>
      }
    >
      {doubtful.length > 0 ? (
        <>
          <p>{t("check.doubtfulText", { count: doubtful.length })}</p>
          <List label={t("check.doubtful")} items={doubtful} />
        </>
      ) : null}
      {left.length > 0 ? (
        <>
          <p>{t("check.text", { count: left.length })}</p>
          <List label={t("check.left")} items={left} />
        </>
      ) : null}
    </Dialog>
  );
}
