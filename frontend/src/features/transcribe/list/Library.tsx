import { Captions, SearchX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTranscripts } from "@/api/transcriptions";
import { useDebounced } from "@/lib/useDebounced";
import { Button, EmptyState, ErrorBox, Skeleton } from "@/ui";
import { useTranscribers } from "../models";
import { ModelCard } from "../ModelCard";
import { Problem } from "../Problem";
import { useHidden } from "../state";
import type { Incoming } from "../useIncoming";
import { useUploads } from "../uploads";
import { SearchField } from "./SearchField";
import { TranscriptList } from "./TranscriptList";
import { Uploads } from "./Uploads";

const searchDelay = 150; // ms after the last key press

/** The files on their way and all stored transcripts. */
export function Library({ incoming }: { incoming: Incoming }) {
  const { t } = useTranslation("transcribe");
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim(), searchDelay);
  const list = useTranscripts(search);
  const hidden = useHidden();
  const uploads = useUploads();
  const { models, isLoading } = useTranscribers();
  const rows = list.items.filter(({ id }) => !hidden.has(id));
  const needsModel = !isLoading && models.length > 0 && !models.some(({ downloaded }) => downloaded);
  const isEmpty = rows.length === 0 && search === "" && !list.isLoading && !list.error;
  const card = needsModel ? <ModelCard models={models} /> : null;
  if (list.isLoading)
    return (
      <div className="grid gap-3 p-4">
        {[1, 2, 3, 4].map((n) => (
          <Skeleton key={n} className="h-6" />
        ))}
      </div>
    );
  return (
    <>
      <div className="p-4 pb-0 empty:hidden">
        <Problem />
      </div>
      {list.error ? (
        <div className="p-4">
          <ErrorBox
            error={list.error}
            action={
              <Button size="small" onClick={() => void list.refetch()}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
      {isEmpty ? null : (
        <SearchField
          value={typed}
          found={list.isStale ? null : list.total}
          isSearch={search !== ""}
          onChange={setTyped}
        />
      )}
      {card && !isEmpty ? <div className="p-4">{card}</div> : null}
      <Uploads uploads={uploads} />
      {isEmpty ? (
        uploads.length === 0 || needsModel ? (
          <DropPage onChoose={incoming.choose}>{card}</DropPage>
        ) : null
      ) : rows.length === 0 && !list.error ? (
        <EmptyState
          icon={<SearchX size={24} aria-hidden />}
          title={t("noMatches")}
          action={<Button onClick={() => setTyped("")}>{t("showAll")}</Button>}
        >
          {t("noMatchesHint")}
        </EmptyState>
      ) : (
        <TranscriptList rows={rows} isStale={list.isStale} onEnd={list.hasMore ? list.loadMore : undefined} />
      )}
    </>
  );
}

/** The page without transcripts: a place to drop files on. */
function DropPage({ onChoose, children }: { onChoose(): void; children: React.ReactNode }) {
  const { t } = useTranslation("transcribe");
  return (
    <div className="tr-drop">
      <EmptyState
        icon={<Captions size={28} aria-hidden />}
        title={t("empty")}
        action={<Button onClick={onChoose}>{t("chooseFiles")}</Button>}
      >
        {t("emptyHint")}
      </EmptyState>
      {children}
    </div>
  );
}
