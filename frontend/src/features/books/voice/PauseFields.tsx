import { useTranslation } from "react-i18next";
import type { BookOptions } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Fold, Select } from "@/ui";

const kinds = ["sentence", "paragraph", "heading", "scene"] as const;
const lengths = [0, 0.2, 0.35, 0.5, 0.7, 1, 1.5, 2, 3];
const chapterLengths = [0, 1, 2, 3, 4, 5];

interface Props {
  options: BookOptions;
  onChange(part: Pick<BookOptions, "pauses" | "chapter_pause">): void;
}

/** The silences of a book; empty ones are those of the settings. */
export function PauseFields({ options, onChange }: Props) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const pauses = options.pauses ?? {};
  const choices = (own: readonly number[], value: number | undefined, standard: string) => [
    { value: "", label: standard },
    ...[...new Set([...own, ...(value === undefined ? [] : [value])])]
      .sort((a, b) => a - b)
      .map((seconds) => ({ value: String(seconds), label: t("pauses.seconds", { seconds: format.number(seconds) }) })),
  ];
  return (
    <Fold title={t("pauses.title")}>
      <div className="mt-3 grid grid-cols-2 gap-3">
        {kinds.map((kind) => (
          <Select
            key={kind}
            label={t(`pauses.${kind}`)}
            value={pauses[kind] === undefined ? "" : String(pauses[kind])}
            choices={choices(lengths, pauses[kind], t("pauses.default"))}
            onChange={(value) => onChange({ pauses: { ...pauses, [kind]: value === "" ? undefined : Number(value) } })}
          />
        ))}
        <Select
          label={t("pauses.chapter")}
          value={options.chapter_pause === undefined ? "" : String(options.chapter_pause)}
          choices={choices(chapterLengths, options.chapter_pause, t("pauses.chapterDefault"))}
          onChange={(value) => onChange({ chapter_pause: value === "" ? undefined : Number(value) })}
        />
      </div>
    </Fold>
  );
}
