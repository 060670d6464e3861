import { Command } from "cmdk";
import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Kbd } from "@/ui";
import { findEntries, firstEntries, addRecent, type PaletteEntry, type PaletteGroup } from "./entries";
import { useLocalEntries } from "./useLocal";
import { useServerEntries } from "./useServer";

const pageRows = 8; // rows that PageUp and PageDown move
const optionId = (entry: PaletteEntry): string => `palette-${entry.id}`;

function useFound(query: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const local = useLocalEntries();
  const server = useServerEntries(query);
  if (query.trim() === "") return { groups: firstEntries(local), isSearching: false };
  return { groups: [...findEntries(local, query), ...server.groups], isSearching: server.isSearching };
}

function Option({ entry, onRun }: { entry: PaletteEntry; onRun(): void }) {
  const isSame = entry.note === entry.title;
  return (
    <Command.Item value={entry.id} onSelect={onRun} asChild>
      <div id={optionId(entry)}>
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
    </Command.Item>
  );
}

/** Finds and runs commands, screens, settings, drafts, models, voices and generations. */
export default function Search({ close }: { close(): void }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const [wanted, setWanted] = useState<string | null>(null);
  const { groups, isSearching } = useFound(query);
  const found = groups.flatMap((group) => group.entries);
  // By id: results that arrive later do not move the choice.
  const chosen = found.find((entry) => entry.id === wanted) ?? found[0];
  const list = useRef<HTMLDivElement>(null);

  function run(entry: PaletteEntry) {
    addRecent(entry.id);
    close();
    setTimeout(() => entry.run()); // after the dialog has returned the focus
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "PageDown" ? pageRows : event.key === "PageUp" ? -pageRows : 0;
    if (step === 0 || !chosen || event.nativeEvent.isComposing) return;
    const next = found[Math.min(Math.max(found.indexOf(chosen) + step, 0), found.length - 1)] ?? chosen;
    setWanted(next.id);
    document.getElementById(optionId(next))?.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  }
  return (
    <Command
      className="flex min-h-0 flex-col"
      shouldFilter={false}
      vimBindings={false}
      loop
      value={chosen?.id ?? ""}
      onValueChange={setWanted}
      onKeyDown={onKeyDown}
    >
      <Command.Input
        asChild
        value={query}
        onValueChange={(text) => {
          setQuery(text);
          setWanted(null);
          list.current?.scrollTo?.(0, 0);
        }}
      >
        {/* cmdk alone calls an empty list open, knows only rows chosen by key or pointer, and names the field by a clipped label. */}
        {/* eslint-disable-next-line jsx-a11y/role-supports-aria-props -- Command.Input makes it a combobox */}
        <input
          className="min-h-12 border-b border-line bg-transparent px-4 text-14 outline-none"
          placeholder={t("palette.placeholder")}
          aria-label={t("palette.placeholder")}
          aria-labelledby={undefined}
          aria-expanded={found.length > 0}
          aria-activedescendant={chosen ? optionId(chosen) : undefined}
          autoFocus
        />
      </Command.Input>
      <Command.List
        ref={list}
        label={t("palette.title")}
        className="max-h-96 overflow-y-auto p-1"
        hidden={found.length === 0}
      >
        {groups.map((group) => (
          <Command.Group
            key={group.name}
            heading={
              <div className="px-3 pt-2 pb-1 text-12 font-medium text-ink-3">{t(`palette.groups.${group.name}`)}</div>
            }
          >
            {group.entries.map((entry) => (
              <Option key={entry.id} entry={entry} onRun={() => run(entry)} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <p role="status" className={found.length === 0 ? "p-4 text-ink-2" : "sr-only"}>
        {found.length > 0 ? "" : t(isSearching ? "palette.searching" : "palette.noMatches")}
      </p>
    </Command>
  );
}
