import { useEffect, useRef } from "react";
import type { Match } from "@/features/find";

interface Props {
  text: string;
  matches: readonly Match[];
  current: Match | undefined;
}

/** Marks the matches of a search below the text of a turn's field, and scrolls to the selected one. */
export function FoundOverlay({ text, matches, current }: Props) {
  const selected = useRef<HTMLElement>(null);
  useEffect(() => selected.current?.scrollIntoView({ block: "nearest" }), [current]);
  return (
    <div aria-hidden className="sc-found" dir="auto">
      {matches.map((match, i) => (
        <span key={match.from}>
          {text.slice(matches[i - 1]?.to ?? 0, match.from)}
          <mark ref={match === current ? selected : undefined} data-current={match === current ? "" : undefined}>
            {text.slice(match.from, match.to)}
          </mark>
        </span>
      ))}
    </div>
  );
}
