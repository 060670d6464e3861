import { ChevronDown, ChevronRight, Download, LayoutGrid } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Badge, Card, Portrait, Row } from "@/ui";
import { isBuiltInOffer } from "./builtIn";
import { FavoriteButton, PreviewButton } from "./buttons";
import type { Entry } from "./entries";
import { isHosted } from "./filter";
import { baseLanguage } from "./language";
import { VoiceState } from "./VoiceState";
import type { Voice } from "./voice";
import { useVoiceWords } from "./words";

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

interface Parts {
  face: ReactNode;
  name: ReactNode;
  line: string;
  languages: string;
  engine: string;
  state: ReactNode;
  buttons: ReactNode;
  wide: boolean;
}

function Cells({ face, name, line, languages, engine, state, buttons, wide }: Parts) {
  return (
    <>
      <div role="gridcell" className="flex min-w-0 flex-1 items-center gap-3 py-1">
        {face}
        <div className="min-w-0">
          <div className="flex items-center gap-1.5 font-medium">{name}</div>
          <div className="truncate text-12 text-ink-2" dir="auto" title={line}>
            {line}
            <span className="@xl:hidden"> · {languages}</span>
          </div>
        </div>
      </div>
      <div role="gridcell" className="hidden w-28 truncate text-12 text-ink-2 @xl:block @3xl:w-44" title={languages}>
        {languages}
      </div>
      <div role="gridcell" className="hidden w-20 truncate text-12 text-ink-2 @2xl:block" title={engine}>
        {engine}
      </div>
      <div role="gridcell" className="flex w-24 flex-none justify-end">
        {state}
      </div>
      <div role="gridcell" className={`flex ${wide ? "w-24" : "w-16"} flex-none justify-end`}>
        {buttons}
      </div>
    </>
  );
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

function useParts({ entry, active, current, onEnter, end }: EntryProps): Parts | null {
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

/** Handles clicks on the row itself, not those on its buttons and their menus, which are rendered elsewhere. */
function clicks({ entry, onActive, onEnter }: EntryProps) {
  const own = (event: MouseEvent<HTMLElement>) =>
    event.target instanceof Element &&
    event.currentTarget.contains(event.target) &&
    event.target.closest("button") === null;
  return {
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (own(event)) {
        onActive();
        if (entry.kind === "group") onEnter();
      }
    },
    onDoubleClick: (event: MouseEvent<HTMLElement>) => {
      if (own(event) && entry.kind !== "group") onEnter();
    },
  };
}

/** One row: a voice, a model with many voices, a model to download, or a heading. */
export function EntryRow(props: EntryProps) {
  const { entry, active, selected } = props;
  const parts = useParts(props);
  if (entry.kind === "heading")
    return (
      <div role="row" className="flex h-11 items-end gap-2 px-4 pb-2 text-12 font-medium text-ink-3">
        <span role="gridcell">
          {entry.text} <span className="ps-1 font-normal">{entry.count}</span>
        </span>
      </div>
    );
  if (!parts) return null;
  return (
    <Row
      role="row"
      height="tall"
      selected={selected}
      tabIndex={active ? 0 : -1}
      data-key={entry.key}
      {...clicks(props)}
    >
      <Cells {...parts} />
    </Row>
  );
}

/** The same entry as a card. */
export function EntryCard(props: EntryProps) {
  const { entry, active, selected } = props;
  const parts = useParts(props);
  if (!parts) return null;
  return (
    <Card
      role="gridcell"
      tabIndex={active ? 0 : -1}
      aria-selected={selected}
      data-key={entry.key}
      data-row=""
      className="flex min-w-0 flex-col gap-2 p-3! aria-selected:border-edge! aria-selected:bg-fill-2!"
      {...clicks(props)}
    >
      <div className="flex items-center justify-between">
        {parts.face}
        <div className="flex">{parts.buttons}</div>
      </div>
      <div className="min-w-0">
        <div className="flex items-center gap-1.5 font-medium">{parts.name}</div>
        <div className="truncate text-12 text-ink-2" dir="auto" title={parts.line}>
          {parts.line}
        </div>
      </div>
      <div className="flex items-center justify-between gap-2 text-12 text-ink-2">
        <span className="truncate" title={parts.languages}>
          {parts.languages}
        </span>
        {parts.state}
      </div>
    </Card>
  );
}
