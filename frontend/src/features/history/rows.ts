import { asRead } from "@/lib/heading";
import { hasEnded, type GenerationStatus, type HistoryHit } from "@/api/types";

/** The part of a generation that the list keeps; 10,000 complete ones would take too much memory. */
export interface HistoryRow {
  id: string;
  title: string;
  /** Returns the first words, on one line. */
  text: string;
  language: string;
  highlight: string | undefined;
  voiceId: string;
  voice: string;
  model: string;
  status: GenerationStatus;
  progress: number;
  error: HistoryHit["error"];
  /** The finished chunks of a stopped or failed one. */
  partial: HistoryHit["partial"];
  duration: number;
  favorite: boolean;
  hosted: boolean;
  /** What a hosted one cost; null where unknown. */
  credits: number | null;
  /** The word error rate at which a transcription model heard it; null until then. */
  wer: number | null;
  format: HistoryHit["format"];
  createdAt: string;
  audioUrl: string;
  audioPath: string;
}

/** Reports whether there is something to hear: the file, or what is finished of a stopped or failed one. */
export const hasSound = ({ status, partial }: Pick<HistoryRow, "status" | "partial">): boolean =>
  status === "complete" || (hasEnded(status) && partial !== null);

const shownCharacters = 240;

/** Returns the row of a list item or of a complete generation. */
export function toRow(hit: Omit<HistoryHit, "chunks" | "receipt">): HistoryRow {
  return {
    id: hit.id,
    title: hit.title,
    language: hit.language,
    text: asRead(hit.text.slice(0, 2 * shownCharacters))
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, shownCharacters),
    highlight: hit.highlight && asRead(hit.highlight),
    voiceId: hit.profile_id,
    voice: hit.profile_name,
    model: hit.model_name,
    status: hit.status,
    progress: hit.progress,
    error: hit.error,
    partial: hit.partial,
    duration: hit.duration,
    favorite: hit.favorite,
    hosted: hit.source === "hosted",
    credits: hit.credits,
    wer: hit.verify?.wer ?? null,
    format: hit.format,
    createdAt: hit.created_at,
    audioUrl: hit.audio_url,
    audioPath: hit.audio_path,
  };
}

export interface RowPage {
  rows: HistoryRow[];
  next: string | null;
  total: number;
  capped: boolean;
  /** The number of rows requested. */
  limit: number;
}

export interface RowPages {
  pages: RowPage[];
  pageParams: (string | undefined)[];
}

/** Returns the last page from `from` on with one of the ids and its position there, or page -1 if there is none. */
function findLast(pages: readonly RowPage[], from: number, ids: ReadonlySet<string>): { page: number; row: number } {
  for (let page = pages.length - 1; page >= from; page--) {
    const row = pages[page]?.rows.findLastIndex((r) => ids.has(r.id)) ?? -1;
    if (row >= 0) return { page, row };
  }
  return { page: -1, row: -1 };
}

/**
 * Merges a refetched page into the loaded pages: new rows appear, rows missing inside its range disappear, and
 * the rows after it stay.
 */
export function mergePage(data: RowPages, index: number, fresh: RowPage): RowPages {
  const before = data.pages.slice(0, index);
  const params = data.pageParams.slice(0, index + 1);
  const ids = new Set(fresh.rows.map((row) => row.id));
  const end = findLast(data.pages, index, ids);
  const isWhole = fresh.next === null;
  if (isWhole || (end.page < 0 && index === 0)) return { pages: [...before, fresh], pageParams: params };
  if (end.page < 0) return data; // all rows of the page have moved; the refreshed first page shows where
  const remaining = data.pages[end.page]?.rows.slice(end.row + 1) ?? [];
  const kept = data.pages[end.page];
  const behind = data.pages.slice(end.page + 1).map((page) => ({ ...page, total: fresh.total, capped: fresh.capped }));
  const merged = { ...fresh, rows: [...fresh.rows, ...remaining], next: kept?.next ?? null };
  return { pages: [...before, merged, ...behind], pageParams: [...params, ...data.pageParams.slice(end.page + 1)] };
}

/** Updates rows in place. */
export function changeRows(
  data: RowPages,
  ids: ReadonlySet<string>,
  change: (row: HistoryRow) => HistoryRow | null,
): RowPages {
  let touched = false;
  const pages = data.pages.map((page) => {
    if (!page.rows.some((row) => ids.has(row.id))) return page;
    touched = true;
    return { ...page, rows: page.rows.flatMap((row) => (ids.has(row.id) ? (change(row) ?? []) : row)) };
  });
  return touched ? { ...data, pages } : data;
}
