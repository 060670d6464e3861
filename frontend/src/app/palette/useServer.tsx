import { useQuery } from "@tanstack/react-query";
import { AudioLines } from "lucide-react";
import { api, dataOf } from "@/api/client";
import { keys } from "@/api/keys";
import type { Profile } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { titleOrWords } from "@/lib/heading";
import { searchRank } from "@/lib/searchRank";
import { useDebounced } from "@/lib/useDebounced";
import { Highlight, Portrait } from "@/ui";
import { href, navigate } from "@/lib/router";
import type { PaletteEntry, PaletteGroup } from "./entries";

const searchDelay = 150; // ms after the last key press before a request
const maxShown = 5;
const maxRanked = 50; // voices of which the best matches are shown
const maxLength = 200; // characters of a query

function useVoices(search: string) {
  const format = useFormat();
  const voiceName = useVoiceName();
  const query = useQuery({
    queryKey: keys.profileList({ search, limit: maxRanked, of: "palette" }),
    enabled: search !== "",
    queryFn: ({ signal }) => dataOf(api.GET("/profiles", { params: { query: { search, limit: maxRanked } }, signal })),
    placeholderData: (before) => before,
  });
  const rank = ({ name, language }: Profile): number =>
    searchRank(search, voiceName(name), [language, format.language(language)]);
  const found = search === "" ? [] : [...(query.data?.items ?? [])].sort((a, b) => rank(a) - rank(b));
  const entries = found.slice(0, maxShown).map((voice): PaletteEntry => ({
    id: `voice:${voice.id}`,
    group: "voices",
    title: voiceName(voice.name),
    note: format.language(voice.language),
    icon: <Portrait id={voice.id} size={20} />,
    run: () => navigate(voice.usable ? href("studio", [], { voice: voice.id }) : href("voices", [voice.id])),
  }));
  return { entries, isSearching: query.isFetching };
}

function useHistory(search: string) {
  const format = useFormat();
  const query = useQuery({
    queryKey: keys.historyList({ search, limit: maxShown, of: "palette" }),
    enabled: search !== "",
    queryFn: ({ signal }) => dataOf(api.GET("/history", { params: { query: { search, limit: maxShown } }, signal })),
    placeholderData: (before) => before,
  });
  const entries = (search === "" ? [] : (query.data?.items ?? [])).map((hit): PaletteEntry => ({
    id: `history:${hit.id}`,
    group: "history",
    title: titleOrWords(hit, 120),
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
  return { entries, isSearching: query.isFetching };
}

/** Voices and generations that the server finds; a new query cancels earlier requests. */
export function useServerEntries(text: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const typed = text.trim().slice(0, maxLength);
  const debounced = useDebounced(typed, searchDelay);
  const search = typed === "" ? "" : debounced;
  const voices = useVoices(search);
  const history = useHistory(search);
  const groups: PaletteGroup[] = [
    { name: "voices", entries: voices.entries },
    { name: "history", entries: history.entries },
  ];
  return {
    groups: groups.filter((group) => group.entries.length > 0),
    isSearching: typed !== "" && (typed !== debounced || voices.isSearching || history.isSearching),
  };
}
