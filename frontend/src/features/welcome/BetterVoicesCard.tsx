import { X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useDownloadModel, useModels } from "@/api/models";
import type { Model } from "@/api/types";
import { IconButton } from "@/ui";
import { useDownloadsOff } from "@/features/downloads";
import { awaitVoice, forgetAwaited, useAwaited } from "@/features/picker";
import { bestModel, hasVoices, smallerModel } from "./best";
import { useCoversTextCursor } from "./useCoversTextCursor";
import { useLanguage } from "./useLanguage";
import "./welcome.css";
import { Download, About } from "./BetterVoicesParts";

const key = "voicewright.betterVoices";

function readDismissed(): boolean {
  try {
    return localStorage.getItem(key) === "dismissed";
  } catch {
    return false; // no storage: it is offered again
  }
}

function remember(): void {
  try {
    localStorage.setItem(key, "dismissed");
  } catch {
    // no storage: the card is shown again at the next start
  }
}

/** Returns the model of the card: the requested or downloading one, else the best one, or the smaller alternative. */
function useChosen(wanted: string | null, looked: string | null, language: string) {
  const models = useModels().data;
  if (!models) return null;
  const best = bestModel(models, language);
  const running =
    models.find((m) => m.model_name === wanted) ?? models.find((m) => m.family === "speech" && m.downloading !== null);
  const chosen = running ?? models.find((m) => m.model_name === looked) ?? best;
  if (!chosen || hasVoices(models)) return null;
  const other = smallerModel(models, language, chosen) ?? best;
  return { chosen, other: other === chosen ? undefined : other };
}

/** Offline nothing can be downloaded, so that nothing is offered. */
function WhileOnline({ children }: { children: ReactNode }) {
  return useDownloadsOff() === null ? children : null;
}

interface Props {
  /** Where the voice is chosen. */
  place: string;
  /** The id of the profile in use. */
  inUse: string | undefined;
  /** The generation that is spoken again with the new voice. */
  generation: string;
}

/**
 * After the first audio: the one model that suits this machine best, one click away. Shows nothing when voices are
 * installed, when no model fits, or once it was closed. The new voice speaks the same text again. It floats at the lower end of its positioned container.
 */
export function BetterVoicesCard({ place, inUse, generation }: Props) {
  const { t } = useTranslation("welcome");
  const language = useLanguage();
  const download = useDownloadModel();
  const [dismissed, setDismissed] = useState(readDismissed);
  const wanted = useAwaited(place)?.model ?? null;
  const [looked, setLooked] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isAside = useCoversTextCursor(box);
  const offer = useChosen(wanted, looked, language);
  if (dismissed || !offer) return null;
  const { chosen, other } = offer;
  function get(model: Model) {
    setLooked(model.model_name);
    awaitVoice(place, {
      model: model.model_name,
      language,
      inUse,
      before: new Set(),
      speakAgain: generation,
    });
    download.mutate({ name: model.model_name, acceptLicense: model.license.accept_required });
  }
  function look(name: string) {
    forgetAwaited(place);
    setLooked(name);
    download.reset();
  }
  function close() {
    remember();
    setDismissed(true);
  }
  return (
    <WhileOnline>
      <div
        ref={box}
        role="region"
        aria-label={t("title")}
        className="k-card w-card"
        data-aside={isAside ? "" : undefined}
      >
        <div className="flex items-center">
          <h2 className="flex-1 font-semibold">{t("title")}</h2>
          <IconButton label={t("common:close")} icon={<X size={16} />} onClick={close} />
        </div>
        <About model={chosen} />
        <Download
          model={chosen}
          error={download.error ?? (chosen.error ? failureOf(chosen.error) : null)}
          busy={download.isPending}
          onGet={() => get(chosen)}
          other={other}
          onOther={look}
        />
      </div>
    </WhileOnline>
  );
}
