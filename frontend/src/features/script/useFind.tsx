import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { useCommands } from "@/lib/commands";
import { useTranslation } from "react-i18next";
import {
  emptyQuery,
  expressionOf,
  FindPanel,
  matchesIn,
  replacementAt,
  replaceAll,
  type FindQuery,
  type Match,
} from "@/features/find";
import { setText, type ScriptContent, type Turn } from "./model";
import type { ScriptStore } from "./scriptStore";

interface Hit extends Match {
  turnId: string;
}
/** The matches in the text of a turn, and the one that is selected. */
export interface Found {
  matches: readonly Match[];
  current: Match | undefined;
}

const none: readonly Match[] = [];

/** Returns a function with the matches of a turn, which keeps those of turns that did not change. */
function matcher(query: FindQuery | null): (turn: Turn) => readonly Match[] {
  const expression = query && expressionOf(query);
  const known = new WeakMap<Turn, readonly Match[]>();
  return (turn) => {
    if (!expression) return none;
    const matches = known.get(turn) ?? matchesIn(turn.text, expression);
    known.set(turn, matches);
    return matches;
  };
}

export function replaceHit(script: ScriptContent, hit: Hit, query: FindQuery): ScriptContent {
  const text = script.turns.find(({ id }) => id === hit.turnId)?.text ?? "";
  const next = text.slice(0, hit.from) + replacementAt(text, hit, query) + text.slice(hit.to);
  return setText(script, hit.turnId, next);
}

export function replaceInAll(script: ScriptContent, query: FindQuery): ScriptContent {
  const turns = script.turns.map((turn) => {
    const text = replaceAll(turn.text, query);
    return text === turn.text ? turn : { ...turn, text };
  });
  return turns.every((turn, i) => turn === script.turns[i]) ? script : { ...script, turns };
}

/** Find and replace in all turns of a script; `leave` is called when another match is shown. */
export function useFind(
  store: ScriptStore,
  script: ScriptContent,
  fields: ReadonlyMap<string, HTMLTextAreaElement>,
  leave: () => void,
) {
  const { t } = useTranslation(["script", "find"]);
  const [request, setRequest] = useState<{ withReplace: boolean; n: number } | null>(null);
  const [query, setQuery] = useState(emptyQuery);
  const [at, setAt] = useState(0);
  const isOpen = request !== null;
  const matchesOf = useMemo(() => matcher(isOpen ? query : null), [isOpen, query]);
  const hits = script.turns.flatMap((turn): Hit[] => matchesOf(turn).map((match) => ({ ...match, turnId: turn.id })));
  const current = Math.min(at, hits.length - 1);
  const hit = hits[current];
  const onShown = useEffectEvent(() => {
    if (hit) leave();
  });
  useEffect(() => onShown(), [at, hit?.turnId, hit?.from, query]);

  const open = (withReplace: boolean) =>
    flushSync(() => setRequest((before) => ({ withReplace, n: (before?.n ?? 0) + 1 }))); // the next key belongs to it
  useCommands([
    { id: "script:find", title: t("find.open"), shortcut: "mod+f", run: () => open(false) },
    { id: "script:replace", title: t("find.openReplace"), shortcut: "mod+h", run: () => open(true) },
  ]);
  function close(): void {
    setRequest(null);
    const field = hit && fields.get(hit.turnId);
    field?.focus();
    if (hit) field?.setSelectionRange(hit.from, hit.to);
  }
  const panel = request ? (
    <FindPanel
      request={request}
      query={query}
      count={hits.length}
      current={current}
      showReplace={(withReplace) => setRequest({ ...request, withReplace })}
      onQuery={(next) => {
        setQuery(next);
        if (next.replace === query.replace) setAt(0);
      }}
      step={(by) => setAt((current + by + hits.length) % Math.max(1, hits.length))}
      replace={() => {
        if (hit) store.change((before) => replaceHit(before, hit, query), true);
      }}
      replaceAll={() => store.change((before) => replaceInAll(before, query), true)}
      close={close}
    />
  ) : null;
  return {
    panel,
    matchesOf,
    currentIn: (turn: Turn): Match | undefined =>
      hit?.turnId === turn.id ? matchesOf(turn).find(({ from }) => from === hit.from) : undefined,
  };
}

export type ScriptFind = Pick<ReturnType<typeof useFind>, "matchesOf" | "currentIn">;
