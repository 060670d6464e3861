import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTextPreview } from "@/api/text";
import { ErrorBox, TextField } from "@/ui";
import { Code } from "../SettingRow";

/** Shows how a sentence will be spoken with the current words. */
export function TryPronunciation() {
  const { t } = useTranslation("settings");
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed);
  const preview = useTextPreview({ text });
  const shown = text.trim() === "" ? undefined : preview.data;
  return (
    <div className="mt-4">
      <TextField
        label={t("pronunciation.try")}
        value={typed}
        maxLength={500}
        onChange={setTyped}
        placeholder={t("pronunciation.tryPlaceholder")}
        hint={t("pronunciation.tryHint")}
      />
      {preview.error ? (
        <div className="mt-2">
          <ErrorBox error={preview.error} />
        </div>
      ) : null}
      {shown ? (
        <dl className="mt-2 grid gap-1" aria-live="polite">
          <div className="flex flex-wrap gap-x-2">
            <dt className="text-ink-3">{t("pronunciation.spokenText")}</dt>
            <dd className="break-words">{shown.spoken}</dd>
          </div>
          {shown.phonemes ? (
            <div className="flex flex-wrap gap-x-2">
              <dt className="text-ink-3">{t("pronunciation.phonemes")}</dt>
              <dd>
                <Code>{shown.phonemes}</Code>
              </dd>
            </div>
          ) : null}
        </dl>
      ) : null}
    </div>
  );
}
