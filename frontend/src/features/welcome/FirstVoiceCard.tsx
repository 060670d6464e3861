import { Play, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useDownloadModel, useModels } from "@/api/models";
import type { Model, Profile } from "@/api/types";
import { DownloadsOff, useDownloadsOff } from "@/features/downloads";
import { awaitVoice, forgetAwaited, useAwaited } from "@/features/picker";
import { ProgramHelp } from "@/features/programs";
import { describeVoice, useEspeakMissing } from "@/features/voices/library";
import { useStore, type Store } from "@/lib/store";
import { Button, IconButton } from "@/ui";
import { About, Download } from "./BetterVoicesParts";
import { bestModel, needsEspeak, smallerModel, withoutEspeak } from "./best";
import { useCoversTextCursor } from "./useCoversTextCursor";
import { useLanguage } from "./useLanguage";
import "./welcome.css";

interface Props {
  /** Where the voice is chosen. */
  place: string;
  /** The voice in use, and its model; without one it is the built-in engine. */
  profile: Profile | undefined;
  model: Model | undefined;
  isHosted: boolean;
  /** The number of the open text, and its length. */
  opened: number;
  length: Store<number>;
  isSpeaking: boolean;
  /** Speaks the open text, or this one in its place. */
  speak(text?: string): void;
  /** What is shown where the voice can speak. */
  children: ReactNode;
}

/** Reports whether the voice in use cannot speak, as espeak-ng is missing. */
function useIsMute({ profile, model, isHosted }: Pick<Props, "profile" | "model" | "isHosted">): boolean {
  const isConcerned = profile !== undefined && !isHosted && (!model || needsEspeak(model, profile.language));
  const isMissing = useEspeakMissing(isConcerned);
  return isConcerned && isMissing;
}

/** The best voice that speaks without espeak-ng: one click downloads it, chooses it and speaks the text with it. */
function Offer({ place, profile, opened }: Pick<Props, "place" | "profile" | "opened">) {
  const { t } = useTranslation("welcome");
  const language = useLanguage();
  const download = useDownloadModel();
  const off = useDownloadsOff();
  const awaited = useAwaited(place)?.model;
  const [looked, setLooked] = useState<string | null>(null);
  const models = withoutEspeak(useModels().data ?? []);
  const here = models.some((model) => model.downloaded && model.family === "speech" && model.languages.length > 0);
  const best = bestModel(models, language) ?? bestModel(models, "en");
  const chosen = models.find(({ model_name }) => model_name === (awaited ?? looked)) ?? best;
  if (here) return <p>{t("first.needs")}</p>;
  if (!chosen || off !== null)
    return (
      <>
        <p>{t("first.noneOff")}</p>
        {off === null ? null : <DownloadsOff reason={off} />}
      </>
    );
  const other = smallerModel(models, language, chosen) ?? best;
  return (
    <>
      <p>{t("first.none")}</p>
      <About model={chosen} />
      <Download
        model={chosen}
        error={download.error ?? (chosen.error ? failureOf(chosen.error) : null)}
        busy={download.isPending}
        onGet={() => {
          setLooked(chosen.model_name);
          const inUse = profile?.id;
          awaitVoice(place, { model: chosen.model_name, language, inUse, before: new Set(), speakText: opened });
          download.mutate({ name: chosen.model_name, acceptLicense: chosen.license.accept_required });
        }}
        other={other === chosen ? undefined : other}
        onOther={(name) => {
          forgetAwaited(place);
          setLooked(name);
          download.reset();
        }}
      />
    </>
  );
}

/** A voice can speak now: one click makes it heard. */
function Ready({ profile, length, speak }: Pick<Props, "profile" | "length" | "speak">) {
  const { t } = useTranslation("welcome");
  const isEmpty = useStore(length) === 0;
  const name = profile ? describeVoice(profile, [], "", t("common:builtInVoice")).name : "";
  return (
    <>
      <p>{t("first.ready", { name })}</p>
      <div>
        <Button
          kind="primary"
          icon={<Play size={16} aria-hidden />}
          onClick={() => speak(isEmpty ? t("first.sentence") : undefined)}
        >
          {t(isEmpty ? "first.example" : "first.read")}
        </Button>
      </div>
    </>
  );
}

/**
 * While the voice in use cannot speak because espeak-ng is missing: a voice that can, one click away, and how to get the program.
 * Once one can speak, it is one click away to be heard. It floats at the lower end of its positioned container.
 */
export function FirstVoiceCard({ children, ...props }: Props) {
  const { t } = useTranslation("welcome");
  const isMute = useIsMute(props);
  const [state, setState] = useState<"none" | "waiting" | "closed">("none");
  const box = useRef<HTMLDivElement>(null);
  const isAside = useCoversTextCursor(box);
  if (isMute && state === "none") setState("waiting");
  if (!isMute && props.isSpeaking && state === "waiting") setState("none"); // it is heard
  if (state === "closed" || (state === "none" && !isMute)) return isMute ? null : children;
  return (
    <div
      ref={box}
      role="region"
      aria-label={t("first.title")}
      className="k-card w-card w-first"
      data-aside={isAside ? "" : undefined}
    >
      <div className="flex items-center">
        <h2 className="flex-1 font-semibold">{t("first.title")}</h2>
        <IconButton label={t("common:close")} icon={<X size={16} />} onClick={() => setState("closed")} />
      </div>
      {isMute ? (
        <>
          <Offer {...props} />
          <div className="grid gap-2 border-t border-line pt-3">
            <p className="text-12 text-ink-3">{t("first.or")}</p>
            <ProgramHelp name="espeak-ng" />
          </div>
        </>
      ) : (
        <Ready {...props} />
      )}
    </div>
  );
}
