import { ChevronDown, ChevronRight, Download, LayoutGrid } from "lucide-react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Badge, Portrait } from "@/ui";
import { isBuiltInOffer } from "./builtIn";
import { FavoriteButton, PreviewButton } from "./buttons";
import { isHosted } from "./filter";
import { baseLanguage } from "./language";
import { VoiceState } from "./VoiceState";
import { useVoiceWords } from "./words";
import type { ReactNode } from "react";
import type { Entry } from "./entries";
import type { Voice } from "./voice";

export interface EntryProps {
  entry: Entry;
  active: boolean;
  /** The voice that the inspector shows, or that the button of the dialog uses. */
  selected: boolean;
  /** The voice in use, where a replacement is chosen. */
  current: boolean;
  onActive(): void;
  onEnter(): void;
  /** More buttons before the others of a voice's row. */
  end?: ((voice: Voice, tabIndex: number) => ReactNode) | undefined;
}

export interface Parts {
  face: ReactNode;
  name: ReactNode;
  line: string;
  languages: string;
  engine: string;
  state: ReactNode;
  buttons: ReactNode;
  wide: boolean;
}

type Group = Extract<Entry, { kind: "group" }>;

/** Describes a row of several voices. */
function useGroup() {
  const { t } = useTranslation("picker");
  const words = useVoiceWords();
  return ({ name, voices, more, toGet }: Group) => {
    const tags = [
      ...new Map(voices.flatMap((voice) => voice.languages).map((tag) => [baseLanguage(tag), tag])).values(),
    ];
    const some = t("group.some", {
      names: voices
        .slice(0, 4)
        .map((voice) => voice.name)
        .join(", "),
    });
    return {
      title: t(more ? "group.more" : "group.all", { count: voices.length, name }),
      languages: words.languages({ languages: tags }),
      line: toGet ? words.some([words.note(toGet), some]) : some,
    };
  };
}

function Size({ model }: { model: Model }) {
  const format = useFormat();
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-12 text-ink-2">
      <Download size={14} aria-hidden />
      {format.megabytes(model.size_mb)}
    </span>
  );
}

export function useParts({ entry, active, current, onEnter, end }: EntryProps): Parts | null {
  const { t } = useTranslation("picker");
  const words = useVoiceWords();
  const group = useGroup();
  const tabIndex = active ? 0 : -1;
  const wide = end !== undefined;
  if (entry.kind === "voice") {
    const { voice } = entry;
    return {
      face: <Portrait id={voice.hosted?.id ?? voice.profile.id} hosted={isHosted(voice)} />,
      line: words.line(voice),
      languages: words.languages(voice),
      name: (
        <>
          <span className="truncate" dir="auto" title={voice.name}>
            {voice.name}
          </span>
          {current ? (
            <span className="flex-none whitespace-nowrap">
              <Badge>{t("current")}</Badge>
            </span>
          ) : null}
        </>
      ),
      wide,
      engine: words.engine(voice),
      state: <VoiceState voice={voice} />,
      buttons: (
        <>
          {isBuiltInOffer(voice) ? null : end?.(voice, tabIndex)}
          {voice.offered && !voice.hosted ? null : <FavoriteButton voice={voice} tabIndex={tabIndex} />}
          {isBuiltInOffer(voice) ? null : <PreviewButton voice={voice} tabIndex={tabIndex} />}
        </>
      ),
    };
  }
  if (entry.kind === "group") {
    const { title, line, languages } = group(entry);
    return {
      wide,
      line,
      languages,
      engine: entry.voices[0]?.hosted ? entry.name : engineName(entry.engine),
      face: entry.toGet ? (
        <Portrait id={entry.toGet.model_name} />
      ) : (
        <span className="grid size-8 flex-none place-items-center rounded-r bg-fill text-ink-3">
          <LayoutGrid size={16} aria-hidden />
        </span>
      ),
      name: (
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={entry.open}
          className="truncate"
          title={title}
          onClick={onEnter}
        >
          {title}
        </button>
      ),
      state: entry.voices[0] ? <VoiceState voice={entry.voices[0]} /> : null,
      buttons: (
        <span className="grid size-7 place-items-center text-ink-3">
          {entry.open ? (
            <ChevronDown size={16} aria-hidden />
          ) : (
            <ChevronRight size={16} className="rtl:rotate-180" aria-hidden />
          )}
        </span>
      ),
    };
  }
  if (entry.kind === "model") {
    const { model } = entry;
    return {
      wide,
      face: <Portrait id={model.model_name} />,
      name: (
        <span className="truncate" title={model.display_name}>
          {model.display_name}
        </span>
      ),
      line: words.some([words.note(model), t("voices", { count: model.voices })]),
      languages: words.languages(model),
      engine: engineName(model.engine),
      buttons: null,
      state: <Size model={model} />,
    };
  }
  return null;
}
