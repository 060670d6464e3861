import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, TextField } from "@/ui";
import { findIn, type Hit } from "../text/find";
import type { Page } from "./usePage";

const none: readonly Hit[] = [];

export interface Find {
  isOpen: boolean;
  search: string;
  hits: readonly Hit[];
  hit: Hit | null;
  open(): void;
  close(): void;
  type(search: string): void;
  step(by: 1 | -1): void;
}

/** A search within the transcript. */
export function useFind(page: Page): Find {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [wanted, setWanted] = useState(0);
  const hits = useMemo(() => (isOpen ? findIn(page.segments, search) : none), [isOpen, search, page.segments]);
  const at = Math.min(wanted, Math.max(0, hits.length - 1));
  function goTo(index: number, all: readonly Hit[]) {
    setWanted(index);
    const hit = all[index];
    if (hit) page.show(hit.segment);
  }
  return {
    isOpen,
    search,
    hits,
    hit: hits[at] ?? null,
    open: () => setOpen(true),
    close: () => setOpen(false),
    type(text) {
      setSearch(text);
      goTo(0, findIn(page.segments, text));
    },
    step(by) {
      if (hits.length > 0) goTo((at + by + hits.length) % hits.length, hits);
    },
  };
}

export function FindBar({ find }: { find: Find }) {
  const { t } = useTranslation("transcribe");
  const { hits, hit, search } = find;
  const count =
    search.trim() === ""
      ? ""
      : hits.length === 0 || hit === null
        ? t("noMatches")
        : t("hitOf", { at: hits.indexOf(hit) + 1, count: hits.length });
  return (
    <div className="tr-find" role="search">
      <TextField
        label={t("findIn")}
        hideLabel
        placeholder={t("findIn")}
        className="min-w-0 flex-1"
        value={search}
        maxLength={200}
        autoFocus
        onChange={find.type}
        end={
          <span role="status" className="text-12 whitespace-nowrap text-ink-3">
            {count}
          </span>
        }
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            find.step(event.shiftKey ? -1 : 1);
          }
          if (event.key === "Escape") {
            event.preventDefault();
            find.close();
          }
        }}
      />
      <IconButton label={t("previousHit")} icon={<ChevronUp size={16} />} onClick={() => find.step(-1)} />
      <IconButton label={t("nextHit")} icon={<ChevronDown size={16} />} onClick={() => find.step(1)} />
      <IconButton label={t("common:close")} icon={<X size={16} />} onClick={find.close} />
    </div>
  );
}
