import { Pencil, Trash2 } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useUpdatePronunciation } from "@/api/pronunciations";
import type { Pronunciation } from "@/api/types";
import { useErrorText } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { Button, IconButton, TextField } from "@/ui";
import { LanguageSelect } from "./LanguageSelect";

function Edit({ entry, onDone }: { entry: Pronunciation; onDone(): void }) {
  const { t } = useTranslation("settings");
  const words = useErrorText();
  const update = useUpdatePronunciation();
  const [word, setWord] = useState(entry.word);
  const [respelling, setRespelling] = useState(entry.respelling);
  const [language, setLanguage] = useState(entry.language);
  const ready = word.trim() !== "" && respelling.trim() !== "";
  const failed =
    update.error &&
    (update.error.code === "name_taken"
      ? t("pronunciation.taken")
      : (update.error.fields[0]?.msg ?? words(update.error).title));
  function save(event: FormEvent) {
    event.preventDefault();
    if (ready)
      update.mutate(
        { id: entry.id, changes: { word: word.trim(), respelling: respelling.trim(), language } },
        { onSuccess: onDone },
      );
  }
  return (
    <form
      onSubmit={save}
      aria-label={t("pronunciation.edit", { word: entry.word })}
      className="flex flex-wrap items-start gap-2 py-2"
    >
      <TextField
        autoFocus
        className="min-w-28 flex-1"
        label={t("pronunciation.word")}
        hideLabel
        value={word}
        maxLength={100}
        onChange={setWord}
        error={failed ?? undefined}
        onKeyDown={(e) => {
          if (e.key === "Escape") onDone();
        }}
      />
      <TextField
        className="min-w-28 flex-1"
        label={t("pronunciation.respelling")}
        hideLabel
        value={respelling}
        maxLength={200}
        onChange={setRespelling}
        onKeyDown={(e) => {
          if (e.key === "Escape") onDone();
        }}
      />
      <LanguageSelect className="w-40" hideLabel value={language} onChange={setLanguage} />
      <Button type="submit" busy={update.isPending} aria-disabled={!ready}>
        {t("common:save")}
      </Button>
      <Button kind="quiet" onClick={onDone}>
        {t("common:cancel")}
      </Button>
    </form>
  );
}

/** One word; a click on it or on its edit button edits it in place. */
export function PronunciationRow({ entry, onDelete }: { entry: Pronunciation; onDelete(): void }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const [editing, setEditing] = useState(false);
  return (
    <li className="border-b border-line" data-row="">
      {editing ? (
        <Edit entry={entry} onDone={() => setEditing(false)} />
      ) : (
        <div className="flex min-h-9 items-center gap-3">
          <button
            type="button"
            className="flex min-w-0 flex-1 flex-wrap gap-x-3 py-1.5 text-start"
            aria-label={t("pronunciation.edit", { word: entry.word })}
            onClick={() => setEditing(true)}
          >
            <span className="min-w-28 flex-1 font-medium break-words">{entry.word}</span>
            <span className="min-w-28 flex-1 break-words text-ink-2">{entry.respelling}</span>
            <span className="min-w-28 flex-none text-ink-3">
              {entry.language ? format.language(entry.language) : t("pronunciation.allLanguages")}
            </span>
          </button>
          <IconButton
            label={t("pronunciation.edit", { word: entry.word })}
            tabIndex={-1}
            className="k-later"
            icon={<Pencil size={14} />}
            onClick={() => setEditing(true)}
          />
          <IconButton
            label={t("pronunciation.delete", { word: entry.word })}
            className="k-later"
            icon={<Trash2 size={14} />}
            onClick={onDelete}
          />
        </div>
      )}
    </li>
  );
}
