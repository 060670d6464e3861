import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { api, dataOf } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { usePutSettings, useSettings } from "@/api/settings";
import { useFormat, type Format } from "@/i18n/format";
import { Button, Dialog, ErrorBox, Skeleton, useToast } from "@/ui";
import { secondsOf } from "@/lib/durations";

export const retentionKey = "history.retention";
export const forEver = "-1";

/** The length of a retention, for comparing two; values that the server will refuse are the shortest. */
function keptFor(value: string): number {
  if (value === forEver) return Infinity;
  return secondsOf(value) ?? 0;
}

/** "7 days", "36 hours": a length in words. */
export function keptWords(value: string, format: Format): string {
  const all = keptFor(value);
  const [unit, size] = (
    [
      ["day", 86_400],
      ["hour", 3600],
      ["minute", 60],
      ["second", 1],
    ] as const
  ).find(([, s]) => all % s === 0) ?? ["second", 1];
  return format.number(all / size, { style: "unit", unit, unitDisplay: "long" });
}

interface Loss {
  expired: number;
  favourites: number;
  isMore: boolean;
}

/** What a shorter retention would delete: items that are older, and neither favourites nor of books. */
function useRetentionLoss(to: string, enabled: boolean) {
  return useQuery<Loss, ApiError>({
    queryKey: [...keys.history, "older", to],
    enabled,
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const count = (favorite: "true" | "false") =>
        dataOf(api.GET("/history", { params: { query: { to, favorite, of_book: "false", limit: 1 } }, signal }));
      const [old, kept] = await Promise.all([count("false"), count("true")]);
      return { expired: old.total, favourites: kept.total, isMore: old.total_capped ?? false };
    },
  });
}

interface Retention {
  value: string;
  error: ApiError | null;
  put: ReturnType<typeof usePutSettings>;
  /** Saves a longer retention at once; asks before a shorter one, because that deletes. */
  choose(next: string): void;
  /** The confirmation is open. */
  isAsking: boolean;
  question: ReactNode;
}

/** The retention of the history, and the confirmation before it is shortened. */
export function useRetention(onAnswer?: () => void): Retention {
  const settings = useSettings().data;
  const put = usePutSettings();
  const [asked, setAsked] = useState<Asked | null>(null); // stays while the dialog closes, for its text
  const [isAsking, setAsking] = useState(false);
  const value = String(settings?.[retentionKey] ?? forEver);
  const save = (next: string) => put.mutate({ [retentionKey]: next });
  function choose(next: string): void {
    const seconds = next === forEver ? Infinity : secondsOf(next);
    // The server refuses the first two.
    if (seconds === null || seconds < 3600 || seconds >= keptFor(value)) return save(next);
    setAsked({ next, to: new Date(Date.now() - seconds * 1000).toISOString() });
    setAsking(true);
  }
  function answer(next: string | null): void {
    setAsking(false);
    if (next !== null) save(next);
    onAnswer?.();
  }
  return {
    value,
    error: put.error,
    put,
    choose,
    isAsking,
    question: asked ? <Question asked={asked} open={isAsking} onAnswer={answer} /> : null,
  };
}

interface Asked {
  next: string;
  /** Items from before this time are deleted. */ to: string;
}

function Question({ asked, open, onAnswer }: { asked: Asked; open: boolean; onAnswer(next: string | null): void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const toast = useToast();
  const loss = useRetentionLoss(asked.to, open);
  const time = keptWords(asked.next, format);
  const found = loss.data;
  const number = found ? format.number(found.expired) : "";
  const accept = () => {
    onAnswer(asked.next);
    if (found && found.expired > 0) toast({ text: t("retention.deleting") });
  };
  const button = !found ? null : found.expired === 0 ? (
    <Button kind="primary" onClick={accept}>
      {t("retention.keep", { time })}
    </Button>
  ) : (
    <Button kind="danger-full" onClick={accept}>
      {t(found.isMore ? "retention.deleteMore" : "retention.delete", { count: found.expired, number })}
    </Button>
  );
  const when = keptFor(asked.next) < 3 * 86_400 ? format.dateTime(asked.to) : format.date(asked.to);
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onAnswer(null);
      }}
      title={t("retention.title", { time })}
      footer={
        <>
          <Button onClick={() => onAnswer(null)}>{t("cancel")}</Button>
          {button}
        </>
      }
    >
      {loss.error ? (
        <ErrorBox
          error={loss.error}
          action={
            <Button size="small" onClick={() => void loss.refetch()}>
              {t("retry")}
            </Button>
          }
        />
      ) : null}
      {found ? <Words loss={found} number={number} when={when} /> : loss.error ? null : <Skeleton className="h-10" />}
    </Dialog>
  );
}

function Words({ loss, number, when }: { loss: Loss; number: string; when: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="grid gap-2">
      <p>
        {loss.expired === 0
          ? t("retention.none", { when })
          : t(loss.isMore ? "retention.lossMore" : "retention.loss", { count: loss.expired, number, when })}
      </p>
      <p>
        {loss.favourites > 0
          ? t("retention.favourites", { count: loss.favourites, number: format.number(loss.favourites) })
          : t("retention.favouritesKept")}{" "}
        {t("retention.booksKept")}
      </p>
    </div>
  );
}
