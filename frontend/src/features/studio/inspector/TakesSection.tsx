import { Ear, RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePatchGeneration } from "@/api/history";
import type { Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { asWritten } from "@/lib/markup";
import { audition, noteLengths, player, stopAudition, useAuditionError } from "@/player";
import { Button, ErrorBox } from "@/ui";
import { usesSeed } from "../generation/voiceModel";
import type { GenerationFlow } from "../generation/useGenerationFlow";
import { TakeRow } from "./TakeRow";

/** Plays a generation, starting at one of its chunks; while it is made, at one that is there, and while it is changed, as it was. */
export function playFrom(generation: Generation, chunk: number): void {
  const loaded = player.get().generation;
  if (generation.audio_url === "") {
    const at = loaded?.id === generation.id ? loaded.chunks[chunk]?.start : undefined;
    if (at !== undefined) player.load(generation, { play: true, at });
    return;
  }
  player.load({ ...generation, status: "complete" }, { play: true, at: generation.chunks[chunk]?.start ?? 0 });
}

/** Reports whether takes can be chosen: not during a generation, but while another take is generated. */
export function hasTakes({ generation, takeChunk }: GenerationFlow, chunk: number): boolean {
  return (generation?.status === "complete" || takeChunk !== null) && generation?.chunks[chunk] !== undefined;
}

const letters = ["A", "B"] as const;

interface ListProps {
  generation: Generation;
  chunk: number;
}

/** The takes of a chunk side by side. Listening does not choose one; "Use this one" does. */
function TakeList({ generation, chunk }: ListProps) {
  const { t } = useTranslation("studio");
  const patch = usePatchGeneration();
  const [lastHeard, setLastHeard] = useState<number | null>(null);
  const { take: storedTake = 0, takes = 1, start = 0, end = 0, text = "", verify } = generation.chunks[chunk] ?? {};
  const format = useFormat();
  const chosen = (patch.isPending ? patch.variables.changes.chunks?.[String(chunk)]?.take : undefined) ?? storedTake;
  useEffect(() => noteLengths(generation), [generation]);
  useEffect(() => stopAudition, []);

  const newest = chosen === takes - 1 ? takes - 2 : takes - 1;
  const other = lastHeard !== null && lastHeard !== chosen && lastHeard < takes ? lastHeard : newest;
  const pair = takes > 1 ? [chosen, other].sort((a, b) => a - b) : [];
  const of = (take: number) => ({ id: generation.id, chunk, take });
  function choose(take: number) {
    setLastHeard(chosen); // so that the same two are still compared
    patch.mutate(
      { id: generation.id, changes: { chunks: { [String(chunk)]: { take } } } },
      {
        onSuccess: (generation) => {
          if (player.get().generation?.id === generation.id) player.load(generation);
        },
      },
    );
  }
  const error = useAuditionError() ?? patch.error;
  return (
    <>
      <div className="mb-2 flex min-h-7 items-center justify-between gap-2">
        <h3 className="font-medium">{t("takes.title")}</h3>
        {takes > 1 ? (
          <Button kind="quiet" size="small" onClick={() => void audition(...pair.map(of))}>
            {t("takes.compare")}
          </Button>
        ) : null}
      </div>
      <p className="mb-2 line-clamp-2 text-12 text-ink-3">
        {t("takes.of", { passage: chunk + 1, total: generation.chunks.length })} · {asWritten(text)}
      </p>
      {verify && chosen === storedTake ? (
        <p className="mb-2 flex items-center gap-1.5 text-12 text-ink-2">
          <Ear size={14} aria-hidden />
          {t("takes.checked", { part: format.percent(Math.max(0, 1 - verify.wer)) })}
        </p>
      ) : null}
      {error ? (
        <div className="mb-2">
          <ErrorBox error={error} />
        </div>
      ) : null}
      <ol className="grid" aria-label={t("takes.title")}>
        {Array.from({ length: takes }, (_, take) => (
          <TakeRow
            key={take}
            of={of(take)}
            letter={letters[pair.indexOf(take)] ?? ""}
            storedSeconds={take === storedTake ? end - start : undefined}
            isChosen={takes > 1 && take === chosen}
            onHear={() => setLastHeard(take)}
          >
            {takes > 1 && take === chosen ? <span className="text-12 text-ink-3">{t("takes.inUse")}</span> : null}
            {take === other && takes > 1 ? (
              <Button size="small" busy={patch.isPending} onClick={() => choose(take)}>
                {t("takes.use")}
              </Button>
            ) : null}
          </TakeRow>
        ))}
      </ol>
    </>
  );
}

/** The takes of a chunk, and a button for another one where it would sound different. */
export function Takes({ flow, chunk }: { flow: GenerationFlow; chunk: number }) {
  const { t } = useTranslation("studio");
  const { generation, takeChunk } = flow;
  if (!generation?.chunks[chunk]) return null;
  return (
    <>
      <TakeList generation={generation} chunk={chunk} />
      {usesSeed(generation.engine) ? (
        <div className="mt-2">
          <Button
            size="small"
            icon={<RefreshCw size={14} />}
            busy={takeChunk === chunk}
            disabled={flow.running}
            onClick={() => flow.take(chunk)}
          >
            {t(takeChunk === chunk ? "takes.generating" : "takes.new")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** The takes of the chunk at the cursor. */
export function TakesSection({ flow, chunk }: { flow: GenerationFlow; chunk: number }) {
  const { t } = useTranslation("studio");
  return hasTakes(flow, chunk) ? (
    <section aria-label={t("takes.title")}>
      <Takes flow={flow} chunk={chunk} />
    </section>
  ) : null;
}
