import { CircleSlash, Cloud, Ear, Star } from "lucide-react";
import type { ReactNode } from "react";
import type { HistoryRow as RowData } from "./rows";
import type { RowTexts } from "./rowTexts";

export function marksOf(row: RowData, words: RowTexts): ReactNode {
  if (!row.favorite && !row.hosted && row.wer === null && row.status !== "cancelled") return null;
  const mark = (icon: ReactNode, name: string) => (
    <span role="img" aria-label={name} title={name}>
      {icon}
    </span>
  );
  return (
    <>
      {row.favorite ? mark(<Star size={14} fill="currentColor" aria-hidden />, words.favorite) : null}
      {row.status === "cancelled" ? mark(<CircleSlash size={14} aria-hidden />, words.cancelled) : null}
      {row.wer === null ? null : mark(<Ear size={14} aria-hidden />, words.checked(row.wer))}
      {row.hosted ? mark(<Cloud size={14} aria-hidden />, words.hosted(row.credits)) : null}
      {row.credits === null ? null : (
        <span className="text-12 tabular-nums @max-[640px]/main:hidden" aria-hidden>
          {words.number(row.credits)}
        </span>
      )}
    </>
  );
}
