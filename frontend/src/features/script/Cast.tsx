import { MoreHorizontal, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { Button, IconButton, Menu, Portrait } from "@/ui";
import type { ScriptContent, Speaker } from "./model";

export interface CastActions {
  rename(id: string, name: string): void;
  chooseVoice(id: string): void;
  remove(speaker: Speaker): void;
  add(): void;
}

function SpeakerRow({
  speaker,
  voice,
  turns,
  isOnly,
  actions,
}: {
  speaker: Speaker;
  voice: Profile | undefined;
  turns: number;
  isOnly: boolean;
  actions: CastActions;
}) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const voiceName = useVoiceName();
  const about = voice ? [voiceName(voice.name), format.language(voice.language)].join(", ") : t("noVoice");
  return (
    <li className={`sp-${speaker.hue} flex items-center gap-3 py-2`}>
      <Portrait id={voice?.id ?? speaker.id} />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-1.5">
          <span aria-hidden className="size-2 flex-none rounded-full bg-[var(--speaker)]" />
          <input
            className="sc-name"
            aria-label={t("nameOf", { name: speaker.name })}
            value={speaker.name}
            maxLength={40}
            dir="auto"
            autoComplete="off"
            onChange={(event) => actions.rename(speaker.id, event.target.value)}
          />
        </div>
        <button
          type="button"
          className="mt-0.5 block max-w-full truncate text-start text-12 text-ink-3 hover:text-ink"
          aria-label={t("voiceOf", { name: speaker.name, voice: about })}
          onClick={() => actions.chooseVoice(speaker.id)}
        >
          {about} · {t("turns", { count: turns })}
        </button>
      </div>
      <Menu
        groups={[
          [{ label: t("chooseVoice"), onSelect: () => actions.chooseVoice(speaker.id) }],
          isOnly ? [] : [{ label: t("removeSpeaker"), danger: true, onSelect: () => actions.remove(speaker) }],
        ]}
      >
        <IconButton label={t("moreFor", { name: speaker.name })} icon={<MoreHorizontal size={16} />} />
      </Menu>
    </li>
  );
}

/** The speakers and their voices. */
export function Cast({
  script,
  voices,
  actions,
}: {
  script: ScriptContent;
  voices: readonly Profile[];
  actions: CastActions;
}) {
  const { t } = useTranslation("script");
  return (
    <section aria-label={t("cast")}>
      <ul>
        {script.speakers.map((speaker) => (
          <SpeakerRow
            key={speaker.id}
            speaker={speaker}
            voice={voices.find((v) => v.id === speaker.profileId)}
            isOnly={script.speakers.length === 1}
            actions={actions}
            turns={script.turns.filter((turn) => turn.speakerId === speaker.id).length}
          />
        ))}
      </ul>
      <Button
        kind="quiet"
        size="small"
        className="-ms-2.5 mt-2"
        icon={<Plus size={16} aria-hidden />}
        onClick={actions.add}
      >
        {t("addSpeaker")}
      </Button>
    </section>
  );
}
