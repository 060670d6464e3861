import { ArrowLeftRight } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePatchGeneration, useTakes } from "@/api/history";
import { isPressed, useCommands } from "@/lib/commands";
import { Button, ErrorBox } from "@/ui";
import { audition, stopAudition } from "../audition";
import type { Sound } from "../state";
import { player } from "../requests";
import { takeOf } from "../takes";
import { TakeRow } from "./TakeRow";
import { useComparison } from "./useComparison";
import "./takes.css";

const switchKeys = "mod+shift+b";
const letters = ["A", "B"] as const;

export interface TakeRowsProps {
  generation: Pick<Sound, "id" | "audio_path" | "chunks">;
  chunk: number;
  /** Buttons below the rows. */
  children?: ReactNode;
}

export default function TakeRows({ generation, chunk, children }: TakeRowsProps) {
  const { t } = useTranslation("takes");
  const patch = usePatchGeneration();
  const { data: stored = [] } = useTakes(generation, chunk);
  const { take: storedTake = 0, takes = 1 } = generation.chunks[chunk] ?? {};
  const chosen = (patch.isPending ? patch.variables.changes.chunks?.[String(chunk)]?.take : undefined) ?? storedTake;
  const { pair, heard, isLoading, isElsewhere, error, switchTakes } = useComparison(generation, chunk, takes, chosen);
  const [active, setActive] = useState(chosen);
  const radios = useRef<(HTMLInputElement | null)[]>([]);

  const next = heard === null ? null : pair[0] === heard ? 1 : 0;
  const title = next === null ? t("compare") : t("switchTo", { letter: letters[next] });
  useCommands(
    pair.length > 0 && !isElsewhere
      ? [{ id: `takes:switch:${generation.id}:${chunk}`, title: t("compare"), shortcut: switchKeys, run: switchTakes }]
      : [],
  );

  function choose(take: number) {
    if (take === chosen || patch.isPending) return;
    patch.mutate(
      { id: generation.id, changes: { chunks: { [String(chunk)]: { take } } } },
      {
        onSuccess: (made) => {
          if (player.get().generation?.id === made.id) player.load(made);
        },
      },
    );
  }
  function toggle(take: number) {
    if (take === heard) stopAudition();
    else void audition(takeOf(generation, chunk, take));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isPressed(event.nativeEvent, switchKeys) || pair.length === 0) return;
    event.preventDefault(); // the window ignores shortcuts while a dialog is open
    switchTakes();
  }
  function move(from: number, by: number) {
    radios.current[Math.max(0, Math.min(takes - 1, from + by))]?.focus();
  }
  const longest = Math.max(0, ...stored.map(({ duration }) => duration ?? 0));
  const failure = error ?? patch.error;
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the controls in it
    <div onKeyDown={onKeyDown}>
      {failure ? (
        <div className="mb-2">
          <ErrorBox error={failure} />
        </div>
      ) : null}
      <div role="radiogroup" aria-label={t("ofPassage", { passage: chunk + 1 })} className="p-takes">
        {Array.from({ length: takes }, (_, take) => (
          <TakeRow
            key={take}
            take={take}
            stored={stored[take]}
            longest={longest}
            letter={letters[pair.indexOf(take)] ?? ""}
            isChosen={take === chosen}
            isActive={take === Math.min(active, takes - 1)}
            isHeard={take === heard}
            isLoading={take === heard && isLoading}
            isSaving={patch.isPending}
            onToggle={() => toggle(take)}
            onChoose={() => choose(take)}
            onMove={(by) => move(take, by)}
            onFocus={() => setActive(take)}
            ref={(radio) => void (radios.current[take] = radio)}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {next === null || heard === null ? "" : t("heard", { letter: letters[1 - next], number: heard + 1 })}
      </p>
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {pair.length > 0 ? (
          <Button
            kind="quiet"
            size="small"
            icon={<ArrowLeftRight size={14} aria-hidden />}
            shortcut={switchKeys}
            hint={t("compareHint")}
            onClick={switchTakes}
          >
            {title}
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}
