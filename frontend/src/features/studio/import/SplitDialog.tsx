import { useMemo, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, TextField } from "@/ui";
import { nameOf } from "@/features/drafts/name";
import { maxCharacters } from "../drafts/textDocument";
import { splitText } from "./split";
import type { LongText, Split } from "./useSplit";

const longestTitle = 80; // leaves space for the number of the part

/** The parts of a text, each with its first words. */
function Parts({ texts }: { texts: readonly string[] }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  return (
    // A long list scrolls, so it must be focusable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol className="st-parts" aria-label={t("split.parts")} tabIndex={0}>
      {texts.map((part, i) => (
        <li key={i}>
          <span className="num">{i + 1}</span>
          <span className="min-w-0 flex-1 truncate text-ink" dir="auto">
            {nameOf(part, "…")}
          </span>
          <span>{t("characters", { count: part.length, number: format.number(part.length) })}</span>
        </li>
      ))}
    </ol>
  );
}

function SplitForm({ longText, split }: { longText: LongText; split: Split }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const texts = useMemo(() => splitText(longText.text), [longText.text]);
  const [name, setName] = useState(() =>
    (longText.title || nameOf(longText.text, t("drafts.untitled"))).slice(0, longestTitle),
  );
  const isOne = texts.length === 1;
  const number = format.number(longText.text.length);
  const busy = split.created !== null;
  function submit(event: FormEvent) {
    event.preventDefault();
    const title = name.trim() || t("drafts.untitled");
    if (!busy)
      void split.createDrafts(
        title,
        texts.map((text, i) => ({
          text,
          name: isOne ? title : t("split.name", { title, part: i + 1, total: texts.length }),
        })),
      );
  }
  return (
    <Dialog
      open
      onOpenChange={split.cancel}
      width={560}
      title={isOne ? t("split.titleOne") : t("split.title")}
      footer={
        <>
          <Button onClick={split.cancel}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" form="split-text" busy={busy}>
            {busy
              ? t("split.generating", { made: format.number(split.created ?? 0), total: format.number(texts.length) })
              : t("split.make", { count: texts.length })}
          </Button>
        </>
      }
    >
      <form id="split-text" className="grid gap-3" onSubmit={submit}>
        <p>
          {isOne
            ? t("split.textOne", { number, limit: format.number(maxCharacters) })
            : t("split.text", { number, limit: format.number(maxCharacters) })}
        </p>
        {isOne ? null : (
          <>
            <TextField label={t("drafts.name")} value={name} maxLength={longestTitle} onChange={setName} />
            <Parts texts={texts} />
          </>
        )}
        {split.error ? <ErrorBox error={split.error} /> : null}
      </form>
    </Dialog>
  );
}

/** Offers to split a text that is too long, with a preview of the drafts. */
export function SplitDialog({ split }: { split: Split }) {
  return split.requested ? <SplitForm key={split.number} longText={split.requested} split={split} /> : null;
}
