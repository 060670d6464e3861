import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Kbd } from "@/ui";
import { findEntries, firstEntries, addRecent, type PaletteEntry, type PaletteGroup } from "./entries";
import { useLocalEntries } from "./useLocal";
import { useServerEntries } from "./useServer";

const list = "palette-list";
const optionId = (entry: PaletteEntry): string => `palette-${entry.id}`;

function useFound(query: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const local = useLocalEntries();
  const server = useServerEntries(query);
  if (query.trim() === "") return { groups: firstEntries(local), isSearching: false };
  return { groups: [...findEntries(local, query), ...server.groups], isSearching: server.isSearching };
}

function Option({
  entry,
  isChosen,
  onPoint,
  onRun,
}: {
  entry: PaletteEntry;
  isChosen: boolean;
  onPoint(): void;
  onRun(): void;
}) {
  const isSame = entry.note === entry.title;
  return (
    // The keys work in the field above; the pointer is the second way.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={optionId(entry)}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      <span className="grid size-5 flex-none place-items-center text-ink-3">{entry.icon}</span>
      <span className="min-w-0 truncate" dir="auto" title={entry.title}>
        {entry.shown ?? entry.title}
      </span>
      {entry.note && !isSame ? (
        <span className="ms-auto max-w-[45%] flex-none truncate ps-2 text-12 text-ink-3" dir="auto">
          {entry.note}
        </span>
      ) : null}
      {entry.shortcut ? <Kbd keys={entry.shortcut} /> : null}
    </div>
  );
}

/** Finds and runs: commands, screens, settings, drafts, models, voices and what was generated. */
export default function Search({ close }: { close(): void }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const [wanted, setWanted] = useState<string | null>(null);
  const { groups, isSearching } = useFound(query);
  const found = groups.flatMap((group) => group.entries);
  const chosen = found.find((entry) => entry.id === wanted) ?? found[0]; // by name: what comes later from the server moves nothing
  const frame = useRef<HTMLDivElement>(null);
  const shown = chosen?.id;
  useEffect(() => {
    if (shown) document.getElementById(`palette-${shown}`)?.scrollIntoView({ block: "nearest" });
  }, [shown]);

  function run(entry: PaletteEntry | undefined) {
    if (!entry) return;
    addRecent(entry.id);
    close();
    setTimeout(() => entry.run()); // after the dialog gave the focus back
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.nativeEvent.isComposing) return;
    if (step !== 0)
      setWanted(
        found[((chosen ? found.indexOf(chosen) : 0) + step + found.length) % Math.max(1, found.length)]?.id ?? null,
      );
    else if (event.key === "Enter") run(chosen);
    else return;
    event.preventDefault();
  }
  return (
    <>
      <input
        className="min-h-12 border-b border-line bg-transparent px-4 text-14 outline-none"
        placeholder={t("palette.placeholder")}
        aria-label={t("palette.placeholder")}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={chosen ? optionId(chosen) : undefined}
        autoFocus
        value={query}
        onChange={(e) => {
          setQuery(e.target.value);
          setWanted(null);
          frame.current?.scrollTo?.(0, 0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={frame}
        id={list}
        role="listbox"
        aria-label={t("palette.title")}
        className="max-h-96 overflow-y-auto p-1"
        hidden={found.length === 0}
      >
        {groups.map((group) => (
          <div key={group.name} role="group" aria-labelledby={`palette-of-${group.name}`}>
            <div
              id={`palette-of-${group.name}`}
              role="presentation"
              className="px-3 pt-2 pb-1 text-12 font-medium text-ink-3"
            >
              {t(`palette.groups.${group.name}`)}
            </div>
            {group.entries.map((entry) => (
              <Option
                key={entry.id}
                entry={entry}
                isChosen={entry === chosen}
                onPoint={() => setWanted(entry.id)}
                onRun={() => run(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={found.length === 0 ? "p-4 text-ink-2" : "sr-only"}>
        {found.length > 0 ? "" : t(isSearching ? "palette.searching" : "palette.noMatches")}
      </p>
    </>
  );
}
