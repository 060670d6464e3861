import { Ear } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTextPreview } from "@/api/text";
import type { TextPreview, TextPreviewRequest } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useStore, type Store } from "@/lib/store";
import { Button } from "@/ui";
import { estimate, maxCharacters } from "./drafts/textDocument";
import type { TextStore } from "./drafts/textStore";

const none: TextPreviewRequest = { text: "" };

interface PausedPreview {
  preview: TextPreview | undefined;
  characters: number;
}

/** The preview of the text at the last pause, and the length of that text. */
export function usePausedPreview(request: TextPreviewRequest | null): PausedPreview | undefined {
  const { data, isPlaceholderData } = useTextPreview(request ?? none);
  const [known, setKnown] = useState<PausedPreview>();
  if (request && data && !isPlaceholderData && known?.preview !== data)
    setKnown({ preview: data, characters: request.text.length });
  return request ? known : undefined;
}

/** Whether and when the draft was saved; after a failure it says so and retries automatically. */
function SaveState({ draftStore }: { draftStore: TextStore }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const { saving, savedAt } = useStore(draftStore.state);
  const text =
    saving === "failed"
      ? t("saved.failed")
      : saving !== "clean"
        ? t("saved.soon")
        : savedAt
          ? t("saved.at", { time: format.time(savedAt) })
          : "";
  return (
    <span className={saving === "failed" ? "text-warn" : ""} role={saving === "failed" ? "status" : undefined}>
      {text}
    </span>
  );
}

interface Props {
  length: Store<number>;
  draftStore: TextStore;
  speed: number;
  language: string;
  preview: PausedPreview | undefined;
  /** How many passages an edited text needs. */
  toGenerate: number;
  showSpoken(): void;
}

/** Below the page: its length, its duration, and whether it is saved. Only this part renders at each key press. */
export function StatusBar({ length, draftStore, speed, language, preview, toGenerate, showSpoken }: Props) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const characters = useStore(length);
  const seconds = estimate(
    characters,
    speed,
    preview?.preview ? { characters: preview.characters, seconds: preview.preview.seconds } : undefined,
  );
  const isFull = characters >= maxCharacters;
  const about = t("about", { time: format.clock(Math.max(1, Math.round(seconds))) });
  return (
    <div className="st-foot">
      <span className={isFull ? "text-warn" : ""}>
        {t("characters", { count: characters, number: format.number(characters) })}
      </span>
      {characters > 0 ? <span>{about}</span> : null}
      {language ? <span className="st-wide">{format.language(language)}</span> : null}
      {characters > 0 ? (
        <Button size="small" icon={<Ear size={14} aria-hidden />} shortcut="mod+i" onClick={showSpoken}>
          {t("spoken.open")}
        </Button>
      ) : null}
      <span className="flex-1" />
      {toGenerate > 0 ? <span className="st-wide">{t("toGenerate", { count: toGenerate })}</span> : null}
      <SaveState draftStore={draftStore} />
    </div>
  );
}
