import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, Slider } from "@/ui";
import type { Choices, HostedChoices } from "../drafts/textDocument";
import { SwitchRow } from "./SwitchRow";

/** The service's own values, which are used where none is chosen. */
const defaults: Required<HostedChoices> = {
  stability: 0.5,
  similarity_boost: 0.75,
  speaker_boost: true,
  language_override: false,
};

interface Props {
  chosen: HostedChoices | null;
  change(part: Partial<Choices>): void;
}

/** The options of the hosted v3 model. */
export function ExpressionSection({ chosen, change }: Props) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const value = { ...defaults, ...chosen };
  const set = (part: HostedChoices) => change({ hosted: { ...chosen, ...part } });
  return (
    <section aria-label={t("expression.title")} className="grid gap-4">
      {(["stability", "similarity_boost"] as const).map((name) => (
        <div key={name}>
          <Slider
            label={t(`expression.${name}`)}
            min={0}
            max={1}
            step={0.05}
            value={value[name]}
            text={format.percent(value[name])}
            onChange={(next) => set({ [name]: Math.round(next * 100) / 100 })}
          />
          <p className="text-12 text-ink-3">{t(`expression.${name}_hint`)}</p>
        </div>
      ))}
      {(["speaker_boost", "language_override"] as const).map((name) => (
        <SwitchRow
          key={name}
          label={t(`expression.${name}`)}
          hint={t(`expression.${name}_hint`)}
          checked={value[name]}
          onChange={(next) => set({ [name]: next })}
        />
      ))}
      {chosen ? (
        <Button className="justify-self-start" size="small" onClick={() => change({ hosted: null })}>
          {t("expression.reset")}
        </Button>
      ) : null}
    </section>
  );
}
