import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dialog, Kbd } from "@/ui";
import { useAllCommands, type Command } from "./commands";

/** Folds accents and case, so that "offnen" finds "Öffnen". */
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export function searchCommands(commands: readonly Command[], wish: string): Command[] {
  const words = fold(wish).split(/\s+/).filter(Boolean);
  return commands.filter((c) => !c.hidden && words.every((word) => fold(`${c.title} ${c.keywords ?? ""}`).includes(word)));
}

export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("palette.title")} hideTitle bare className="f-palette">
      <Search close={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Search({ close }: { close(): void }) {
  const { t } = useTranslation();
  const [wish, setWish] = useState("");
  const [at, setAt] = useState(0);
  const found = searchCommands(useAllCommands(), wish);
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => { list.current?.children[chosen]?.scrollIntoView({ block: "nearest" }); }, [chosen, wish]);

  function run(command: Command | undefined) {
    if (!command) return;
    close();
    setTimeout(() => command.run()); // after the dialog gave the focus back
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((chosen + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") run(found[chosen]);
    else return;
    event.preventDefault();
  }
  return (
    <>
      <input className="min-h-12 border-b border-line bg-transparent px-4 text-14 outline-none" placeholder={t("palette.placeholder")} aria-label={t("palette.placeholder")}
        role="combobox" aria-expanded={found.length > 0} aria-controls="palette-list" aria-activedescendant={found[chosen] ? `palette-${found[chosen].id}` : undefined}
        autoFocus value={wish} onChange={(e) => { setWish(e.target.value); setAt(0); }} onKeyDown={onKeyDown} />
      <div ref={list} id="palette-list" role="listbox" aria-label={t("palette.title")} className="max-h-80 overflow-y-auto p-1" hidden={found.length === 0}>
        {found.map((c, i) => (
          // The keys work in the field above; the pointer is the second way.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <div key={c.id} id={`palette-${c.id}`} role="option" tabIndex={-1} aria-selected={i === chosen} onPointerMove={() => setAt(i)} onClick={() => run(c)}>
            {c.title}{c.shortcut ? <Kbd keys={c.shortcut} /> : null}
          </div>
        ))}
      </div>
      <p role="status" className={found.length === 0 ? "p-4 text-ink-2" : "sr-only"}>{found.length === 0 ? t("palette.nothing") : ""}</p>
    </>
  );
}
