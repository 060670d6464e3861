import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { lastDraftOf, readDraft, sameContent } from "@/api/drafts";
import type { ApiError } from "@/api/errors";
import { href, navigate, useRoute } from "@/lib/router";
import { useProfiles } from "@/api/profiles";
import type { Draft } from "@/api/types";
import { Button, EmptyState, ErrorBox, Skeleton } from "@/ui";
import { openNew } from "./DraftsMenu";
import { emptyScript, readScript, type ScriptContent } from "./model";
import { ScriptScreen } from "./ScriptScreen";
import "./script.css";
import { unsaved, useBringBack, type ScriptWords, type Start } from "./useScriptDraft";
import { firstVoice } from "./voices";

const longestName = 70; // leaves room for the word that makes it a copy

/** What is on the page: the draft it is saved as, and the address that it was opened at. */
interface Shown {
  address: string;
  id: string | undefined;
  start: Start | null;
}

/** The draft with what an ended window could not save of it; null when it is no script. */
function startOf(draft: Draft | null, empty: () => ScriptContent): Start | null {
  if (!draft) return { draft: undefined, first: empty(), isUnsaved: false };
  const mine = unsaved
    .all()
    .find(
      ({ id, since, content }) => id === draft.id && since === draft.updated_at && !sameContent(content, draft.content),
    );
  const first = readScript(mine?.content ?? draft.content);
  return first ? { draft, first, isUnsaved: mine !== undefined } : null;
}

function useWords(): ScriptWords {
  const { t } = useTranslation("script");
  return {
    nameOf: (s) =>
      (s.title.trim() || s.turns.find((turn) => turn.text.trim())?.text.trim() || t("untitled")).slice(0, 80),
    copyOf: (name) => t("copyOf", { name: name.slice(0, longestName) }),
  };
}

/** Script: a text in several voices, one turn after the other. */
export default function Script() {
  const { t } = useTranslation("script");
  const { rest, query } = useRoute();
  const voices = useProfiles({});
  const words = useWords();
  // What was first shown at this address stays: the page saves into it and must not start anew when its own draft comes back.
  const [shown, setShown] = useState<Shown | null>(null);
  const id = rest[0];
  const address = id ?? query.get("new") ?? "";
  const settled = shown && (address === "" || address === (shown.id ?? shown.address));
  /** The draft that the address names, else the last script, else none: then the page is empty. */
  const opening = useQuery<Draft | null, ApiError>({
    queryKey: ["script", "opening", address],
    enabled: !settled,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ signal }) => (id ? readDraft(id, signal) : query.has("new") ? null : lastDraftOf("script", { signal })),
  });
  const problem = opening.error ?? voices.error;
  if (problem && !settled) {
    const remedy =
      problem.code === "draft_not_found" ? (
        <Button size="small" onClick={openNew}>
          {t("newScript")}
        </Button>
      ) : (
        <Button
          size="small"
          onClick={() => {
            void opening.refetch();
            void voices.refetch();
          }}
        >
          {t("common:retry")}
        </Button>
      );
    return (
      <div className="p-6">
        <ErrorBox error={problem} action={remedy} />
      </div>
    );
  }
  if (!settled) {
    if (opening.data === undefined || voices.isLoading)
      return (
        <div className="p-8" aria-busy>
          <Skeleton className="mx-auto h-6 max-w-2xl" />
        </div>
      );
    const { data } = opening;
    setShown({
      address,
      id: data?.id,
      start: startOf(data, () =>
        emptyScript([t("firstSpeaker"), t("secondSpeaker")], firstVoice(voices.items)?.id ?? ""),
      ),
    });
    return null;
  }
  if (!shown.start)
    return (
      <EmptyState
        title={t("unreadable")}
        action={<Button onClick={() => navigate(href("studio"))}>{t("openStudio")}</Button>}
      >
        {t("unreadableHint")}
      </EmptyState>
    );
  return (
    <Opened
      key={shown.address}
      start={shown.start}
      current={shown.id}
      words={words}
      onSaved={(saved) => setShown({ ...shown, id: saved })}
    />
  );
}

function Opened({
  start,
  current,
  words,
  onSaved,
}: {
  start: Start;
  current: string | undefined;
  words: ScriptWords;
  onSaved(id: string): void;
}) {
  const voices = useProfiles({});
  useBringBack(start.isUnsaved ? start.draft?.id : undefined, words.copyOf);
  return <ScriptScreen start={start} current={current} words={words} voices={voices.items} onSaved={onSaved} />;
}
