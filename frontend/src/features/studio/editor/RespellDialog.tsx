import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useCreatePronunciation } from "@/api/pronunciations";
import { Button, Dialog, ErrorBox, SegmentedControl, TextField } from "@/ui";
import type { Selected } from "./handle";

type Where = "once" | "always";
interface Props {
  word: Selected;
  language: string;
  close(): void;
  insert(word: string, respelling: string): void;
}

const isIpa = (respelling: string) => respelling.startsWith("/");
/** Phonemes are written between two slashes. */
const isComplete = (respelling: string) => respelling !== "" && (!isIpa(respelling) || /^\/[^/]+\/$/.test(respelling));

/** Sets how a word is spoken: in one place, by markup in the text, or everywhere, by the dictionary. */
export function RespellDialog({ word, language, close, insert }: Props) {
  const { t } = useTranslation("studio");
  const create = useCreatePronunciation();
  const [name, setName] = useState(word.text.trim());
  const [respelling, setReading] = useState("");
  const [where, setWhere] = useState<Where>("once");
  const trimmed = respelling.trim();
  const canSave = name.trim() !== "" && isComplete(trimmed);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!canSave) return;
    if (where === "always") create.mutate({ word: name.trim(), respelling: trimmed, language }, { onSuccess: close });
    else {
      close();
      insert(name.trim(), trimmed);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title={t("respell.title")}
      footer={
        <>
          <Button onClick={close}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" form="respell" disabled={!canSave} busy={create.isPending}>
            {t(where === "once" ? "respell.here" : "respell.save")}
          </Button>
        </>
      }
    >
      <form id="respell" className="grid gap-4" onSubmit={submit}>
        <TextField label={t("respell.word")} value={name} maxLength={100} onChange={setName} />
        <TextField
          label={t("respell.reading")}
          value={respelling}
          maxLength={200}
          onChange={setReading}
          autoFocus
          placeholder={t("respell.example")}
          hint={t("respell.hint")}
          {...(isIpa(trimmed) && trimmed.length > 3 && !isComplete(trimmed) ? { error: t("respell.ipaOpen") } : {})}
        />
        <SegmentedControl<Where>
          label={t("respell.where")}
          value={where}
          onChange={setWhere}
          segments={[
            { value: "once", label: t("respell.once") },
            { value: "always", label: t("respell.always") },
          ]}
        />
        {create.error ? <ErrorBox error={create.error} /> : null}
      </form>
    </Dialog>
  );
}
