import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useModel } from "@/api/models";
import type { BookOptions, Profile } from "@/api/types";
import { languageChoices, useFormat } from "@/i18n/format";
import { Select, Slider } from "@/ui";

interface Props {
  options: BookOptions;
  /** What counts where the options have nothing: those of the book, for a chapter. */
  base?: BookOptions;
  profile: Profile | undefined;
  /** Called with what changes, and what it is called. */
  onChange(part: Pick<BookOptions, "speed" | "language">, text: string): void;
}

/** Speed and language of a book or of a chapter. */
export function SoundFields({ options, base = {}, profile, onChange }: Props) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const model = useModel(profile?.model_name ?? undefined);
  const [dragged, setDragged] = useState<number | null>(null);
  const speed = dragged ?? options.speed ?? base.speed ?? profile?.speed ?? 1;
  const known = languageChoices(
    [...(model?.languages ?? []), ...(options.language ? [options.language] : [])],
    format.language,
    options.language,
  );
  return (
    <>
      <Slider
        label={t("voice.speed")}
        min={0.5}
        max={2}
        step={0.05}
        value={speed}
        text={`${format.number(speed, { minimumFractionDigits: 1, maximumFractionDigits: 2 })}×`}
        onChange={setDragged}
        onCommit={(next) => {
          setDragged(null);
          onChange({ speed: Math.round(next * 100) / 100 }, t("change.speed"));
        }}
      />
      {known.length > 1 ? (
        <Select
          label={t("voice.language")}
          value={options.language ?? ""}
          choices={[{ value: "", label: t("voice.default") }, ...known]}
          onChange={(language) =>
            onChange(language === "" ? { language: undefined } : { language }, t("change.language"))
          }
        />
      ) : null}
    </>
  );
}
