import { useQuery } from "@tanstack/react-query";
import { AudioLines } from "lucide-react";
import { useEffect, useState } from "react";
import { api, dataOf } from "@/api/client";
import { keys } from "@/api/keys";
import { Highlight } from "@/features/history/highlight";
import { useFormat } from "@/i18n/format";
import { Portrait } from "@/ui";
import { href, navigate } from "@/lib/router";
import type { PaletteEntry, PaletteGroup } from "./entries";

const rest = 150; // ms after the last key before the server is asked
const shown = 5;
const longest = 200; // characters that a search may have

function useRested(wish: string): string {
  const [rested, setRested] = useState(wish);
  useEffect(() => {
    const timer = setTimeout(() => setRested(wish), rest);
    return () => clearTimeout(timer);
  }, [wish]);
  return rested;
}

function useVoices(search: string) {
  const format = useFormat();
  const query = useQuery({
    queryKey: keys.profileList({ search, limit: shown, of: "palette" }),
    enabled: search !== "",
    queryFn: ({ signal }) => dataOf(api.GET("/profiles", { params: { query: { search, limit: shown } }, signal })),
    placeholderData: (before) => before,
  });
  const entries = (search === "" ? [] : (query.data?.items ?? [])).map((voice): PaletteEntry => ({
    id: `voice:${voice.id}`,
    group: "voices",
    title: voice.name,
    note: format.language(voice.language),
    icon: <Portrait id={voice.id} size={20} />,
    run: () => navigate(voice.usable ? href("studio", [], { voice: voice.id }) : href("voices", [voice.id])),
  }));
  return { entries, isAsking: query.isFetching };
}

function useHistory(search: string) {
  const format = useFormat();
  const query = useQuery({
    queryKey: keys.historyList({ search, limit: shown, of: "palette" }),
    enabled: search !== "",
    queryFn: ({ signal }) => dataOf(api.GET("/history", { params: { query: { search, limit: shown } }, signal })),
    placeholderData: (before) => before,
  });
  const entries = (search === "" ? [] : (query.data?.items ?? [])).map((hit): PaletteEntry => ({
    id: `history:${hit.id}`,
    group: "history",
    title: hit.title || hit.text.slice(0, 120),
    icon: <AudioLines size={16} aria-hidden />,
    note: format.date(hit.created_at),
    ...(hit.highlight
      ? {
          shown: (
            <>
              {hit.title ? `${hit.title} · ` : ""}
              <Highlight html={hit.highlight} />
            </>
          ),
        }
      : {}),
    run: () => navigate(href("history", [hit.id], { search })),
  }));
  return { entries, isAsking: query.isFetching };
}

/** Voices and texts of the history that the server finds; a new word cancels the question before. */
export function useServerEntries(wish: string): { groups: PaletteGroup[]; isAsking: boolean } {
  const typed = wish.trim().slice(0, longest);
  const rested = useRested(typed);
  const search = typed === "" ? "" : rested;
  const voices = useVoices(search);
  const history = useHistory(search);
  const groups: PaletteGroup[] = [
    { name: "voices", entries: voices.entries },
    { name: "history", entries: history.entries },
  ];
  return {
    groups: groups.filter((group) => group.entries.length > 0),
    isAsking: typed !== "" && (typed !== rested || voices.isAsking || history.isAsking),
  };
}
