import { useTranslation } from "react-i18next";
import { useHostedStatus } from "@/api/hosted";
import { useLiveDownload } from "@/api/live";
import { engineName } from "@/api/models";
import type { Profile } from "@/api/types";
import { builtIn, useHostedAccess } from "@/features/voices/library";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { Button, Portrait, Skeleton, ToAccount } from "@/ui";
import type { VoiceModel } from "../generation/voiceModel";

/** Returns the state of the model as text: ready, in memory, downloading, or its size to download. */
function useModelState({ model, engine }: VoiceModel): string {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const download = useLiveDownload(model?.model_name ?? "");
  if (!model) return engine === builtIn ? t("voice.builtIn") : t("voice.notInstalled");
  if (download)
    return t("voice.downloading", { part: format.percent(download.total > 0 ? download.current / download.total : 0) });
  if (!model.downloaded) return t("voice.notHere", { size: format.megabytes(model.size_mb) });
  const memory = model.memory_mb.measured ?? model.memory_mb.estimate;
  if (model.loaded)
    return memory === null ? t("voice.inMemory") : t("voice.inMemorySize", { size: format.megabytes(memory) });
  return t("voice.ready");
}

/** Why a hosted voice cannot be used now, with the way to Account. */
function HostedReason() {
  const { t } = useTranslation("picker");
  const isKnown = useHostedStatus().data !== undefined;
  const { access } = useHostedAccess();
  if (!isKnown || access === "on") return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-12 text-warn" role="status">
      <span className="min-w-0 flex-1">{t(`hosted.${access}`)}</span>
      <ToAccount />
    </div>
  );
}

interface Props {
  profile: Profile | undefined;
  voiceModel: VoiceModel;
  isLoading: boolean;
  choose(): void;
}

export function VoiceSection({ profile, voiceModel, isLoading, choose }: Props) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const voiceName = useVoiceName();
  const engine = engineName(voiceModel.engine);
  const isHosted = profile?.voice_type === "hosted";
  const localName = voiceModel.model && voiceModel.model.display_name !== engine ? voiceModel.model.display_name : "";
  const state = useModelState(voiceModel);
  if (isLoading)
    return (
      <section aria-label={t("voice.title")}>
        <Skeleton className="h-28" />
      </section>
    );
  if (!profile) {
    return (
      <section aria-label={t("voice.title")}>
        <p className="mb-3 text-ink-2">{t("voice.none")}</p>
        <Button shortcut="v" onClick={choose}>
          {t("voice.choose")}
        </Button>
      </section>
    );
  }
  const name = voiceName(profile.name);
  const facts = [
    [t("voice.language"), format.language(profile.language)],
    [t("voice.engine"), engine],
    isHosted ? [t("voice.model"), profile.hosted_model_id] : [t("voice.model"), localName, state],
  ];
  return (
    <section aria-label={t("voice.title")}>
      <div className="flex items-center gap-3">
        <Portrait id={profile.id} size={48} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-17 font-semibold" title={name}>
            {name}
          </p>
          <p className="line-clamp-2 text-12 text-ink-2">{profile.description}</p>
        </div>
        <Button size="small" shortcut="v" hint={t("voice.choose")} onClick={choose}>
          {t("voice.change")}
        </Button>
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        {facts.map(([fact, ...parts]) => (
          <div key={fact} className="contents">
            <dt className="text-ink-3">{fact}</dt>
            <dd className="flex min-w-0 flex-wrap gap-x-2 break-words">
              {parts.filter(Boolean).map((part) => (
                <span key={part} className="min-w-0">
                  {part}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {isHosted ? (
        <HostedReason />
      ) : profile.usable ? null : (
        <p className="mt-3 text-12 text-warn">{profile.reason || t("voice.unusable")}</p>
      )}
    </section>
  );
}
