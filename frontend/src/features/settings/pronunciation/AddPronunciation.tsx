import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useCreatePronunciation } from "@/api/pronunciations";
import { useErrorText } from "@/i18n/errors";
import { Button, TextField } from "@/ui";
import { LanguageSelect } from "./LanguageSelect";

/** Adds a word and clears the form for the next one. */
export function AddPronunciation() {
  const { t } = useTranslation("settings");
  const words = useErrorText();
  const create = useCreatePronunciation();
  const first = useRef<HTMLInputElement>(null);
  const [word, setWord] = useState("");
  const [respelling, setRespelling] = useState("");
  const [language, setLanguage] = useState("");
  const ready = word.trim() !== "" && respelling.trim() !== "";
  const failed = create.error;
  const text =
    failed && !failed.field("respelling")
      ? (failed.field("word")?.msg ?? (failed.code === "name_taken" ? t("pronunciation.taken") : words(failed).title))
      : undefined;

  function add(event: FormEvent) {
    event.preventDefault();
    if (!ready || create.isPending) return;
    create.mutate(
      { word: word.trim(), respelling: respelling.trim(), language },
      {
        onSuccess: () => {
          setWord("");
          setRespelling("");
          first.current?.focus();
        },
      },
    );
  }
  return (
    <form onSubmit={add} className="flex flex-wrap items-start gap-2" aria-label={t("pronunciation.add")}>
      <TextField
        ref={first}
        className="min-w-32 flex-1"
        label={t("pronunciation.word")}
        value={word}
        maxLength={100}
        onChange={(v) => {
          setWord(v);
          create.reset();
        }}
        error={text}
        placeholder="Caoimhe"
      />
      <TextField
        className="min-w-32 flex-1"
        label={t("pronunciation.respelling")}
        value={respelling}
        maxLength={200}
        onChange={(v) => {
          setRespelling(v);
          create.reset();
        }}
        error={failed?.field("respelling")?.msg}
        placeholder="KEE-va"
      />
      <LanguageSelect className="w-40" value={language} onChange={setLanguage} />
      <Button type="submit" className="mt-6" kind="primary" busy={create.isPending} aria-disabled={!ready}>
        {t("pronunciation.add")}
      </Button>
    </form>
  );
}
