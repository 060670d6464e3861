import { PenLine } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import { href } from "@/lib/router";
import { Inspector } from "@/lib/slots";
import { bareVoice, FavoriteButton, kindOf, PreviewButton, useVoiceWords, type Voice, VoiceState } from "./library";
import { useFormat } from "@/i18n/format";
import { Portrait, Tooltip } from "@/ui";
import type { VoiceActions } from "./actions";
import { Samples } from "./samples/Samples";
import { VoiceForm } from "./VoiceForm";
import { VoiceMenu } from "./VoiceMenu";

function Facts({ voice }: { voice: Voice }) {
  const { t } = useTranslation(["voices", "picker"]);
  const words = useVoiceWords();
  const format = useFormat();
  const { profile, model } = voice;
  // A mixture is described above, an only voice needs no number.
  const id = voice.shares.length > 0 || model?.voices === 1 ? "" : bareVoice(profile.preset_voice_id ?? "");
  const rows: [string, ReactNode][] = [
    [t("facts.kind"), t(`picker:kind.${kindOf(voice)}`)],
    [t("facts.language"), words.languages(voice)],
    [
      t("facts.engine"),
      id ? t("facts.engineVoice", { engine: engineName(voice.engine), voice: id }) : engineName(voice.engine),
    ],
    [
      t("facts.model"),
      <span key="model" className="inline-flex flex-wrap items-center gap-x-2">
        {model?.display_name}
        <VoiceState voice={voice} />
      </span>,
    ],
    ...(model?.license.name
      ? [
          [
            t("facts.licence"),
            model.license.url ? (
              <a key="licence" href={model.license.url} target="_blank" rel="noreferrer">
                {model.license.name}
              </a>
            ) : (
              model.license.name
            ),
          ] as [string, ReactNode],
        ]
      : []),
    [t("facts.created"), format.date(profile.created_at)],
  ];
  return (
    <section>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The active voice: its description, its settings and its actions. */
export function VoiceInspector({
  voice,
  voices,
  actions,
}: {
  voice: Voice;
  voices: readonly Voice[];
  actions: VoiceActions;
}) {
  const { t } = useTranslation("voices");
  const words = useVoiceWords();
  const { profile, name } = voice;
  return (
    <Inspector title={t("voice")}>
      <section className="grid grid-cols-1 gap-4">
        <div className="flex items-center gap-4">
          <Portrait id={profile.id} size={72} />
          <div className="min-w-0">
            <h3 className="text-17 font-semibold wrap-anywhere" dir="auto">
              {name}
            </h3>
            <p className="text-12 text-ink-2 wrap-anywhere" dir="auto">
              {words.line(voice)}
            </p>
          </div>
        </div>
        <div className="flex items-center gap-1">
          {profile.usable ? (
            <Tooltip text={t("use")} shortcut="enter">
              <a className="k-btn hover:no-underline" href={href("studio", [], { voice: profile.id })}>
                <PenLine size={16} aria-hidden />
                {t("use")}
              </a>
            </Tooltip>
          ) : null}
          <span className="flex-1" />
          <PreviewButton voice={voice} />
          <FavoriteButton voice={voice} />
          <VoiceMenu voice={voice} actions={actions} />
        </div>
      </section>
      <VoiceForm key={profile.id} voice={voice} voices={voices} />
      {profile.voice_type === "cloned" ? <Samples key={`samples:${profile.id}`} voice={voice} /> : null}
      <Facts voice={voice} />
    </Inspector>
  );
}
