import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useBooks } from "@/api/books";
import { isRunning, onJobEnd, type JobEnd } from "@/api/ends";
import { announce, announced } from "@/lib/announce";
import { useStore } from "@/lib/store";

const delay = 300; // ms in which the next turn of a script begins

/** Announces when jobs are done, failed or stopped: those of one kind together, once none of them is running. */
function useJobEnds(): void {
  const { t } = useTranslation();
  const say = useEffectEvent((ends: readonly JobEnd[]) => {
    const lines = (["done", "failed", "stopped"] as const).flatMap((outcome) =>
      (["generation", "transcript", "download"] as const).flatMap((kind) => {
        const count = ends.filter((end) => end.kind === kind && end.outcome === outcome).length;
        return count > 0 ? [t(`announce.${kind}.${outcome}`, { count })] : [];
      }),
    );
    if (lines.length > 0) announce(lines.join(" "));
  });
  useEffect(() => {
    let ends: JobEnd[] = [];
    const flush = () => {
      say(ends.filter(({ kind }) => !isRunning(kind)));
      ends = ends.filter(({ kind }) => isRunning(kind));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onJobEnd((end) => {
      ends.push(end);
      clearTimeout(timer);
      timer = setTimeout(flush, delay);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}

/** Announces when a book has been generated, failed or was stopped. One that is deleted says nothing. */
function useBookEnds(): void {
  const { t } = useTranslation();
  const books = useBooks().items;
  const running = useRef<ReadonlySet<string>>(new Set());
  const look = useEffectEvent(() => {
    const ended = books.filter(({ id, generating }) => !generating && running.current.has(id));
    running.current = new Set(books.flatMap(({ id, generating }) => (generating ? [id] : [])));
    const lines = ended.map(({ title, state }) =>
      t(`announce.book.${state === "done" || state === "failed" ? state : "stopped"}`, { title }),
    );
    if (lines.length > 0) announce(lines.join(" "));
  });
  useEffect(() => look(), [books]);
}

/** The region in which screen readers hear what happened elsewhere. Failures that need an action are alerts where they are shown. */
export function Announcer() {
  useJobEnds();
  useBookEnds();
  const { text, n } = useStore(announced);
  return (
    <p className="sr-only" aria-live="polite">
      {text + (n % 2 ? "" : "\u00a0")}
    </p>
  );
}
