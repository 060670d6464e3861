import { Pause, Play, RefreshCw } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { usePatchGeneration } from "@/api/history";
import type { Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { asWritten } from "@/lib/markup";
import { player, usePlaying, usePlayingChunk } from "@/player";
import { Button, IconButton } from "@/ui";
import type { Making } from "../useMaking";

/** Plays a generation from one of its chunks on. */
export function playFrom(generation: Generation, chunk: number): void {
  if (generation.status !== "complete") return;
  player.load(generation, { play: true, at: generation.chunks[chunk]?.start ?? 0 });
}

/** While all is made there is none to choose; while one more take is made the others stay. */
export function hasTakes({ made, taking }: Making, chunk: number): boolean {
  return (made?.status === "complete" || taking !== null) && made?.chunks[chunk] !== undefined;
}

/** The takes of a chunk: listening to one chooses it, so that A and B are a click apart. */
export function Takes({ making, chunk }: { making: Making; chunk: number }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const patch = usePatchGeneration();
  const before = useRef(0);
  const name = useId();
  const { made, taking } = making;
  const sounds = usePlaying(made?.id) === "playing";
  const under = usePlayingChunk(made?.id);
  const one = made?.chunks[chunk];
  if (!made || !one) return null;
  const chosen = patch.isPending ? patch.variables.changes.chunks?.[String(chunk)]?.take ?? one.take : one.take;

  function choose(take: number) {
    if (!made || take === one?.take) return;
    before.current = one?.take ?? 0;
    patch.mutate({ id: made.id, changes: { chunks: { [String(chunk)]: { take } } } }, { onSuccess: (generation) => playFrom(generation, chunk) });
  }
  const isPlaying = sounds && under === chunk;
  const other = before.current < one.takes && before.current !== one.take ? before.current : one.take === 0 ? 1 : 0;
  return (
    <>
      <div className="mb-2 flex min-h-7 items-center justify-between gap-2">
        <h3 className="font-medium">{t("takes.title")}</h3>
        {one.takes > 1 ? <Button kind="quiet" size="small" disabled={patch.isPending} onClick={() => choose(other)}>{t("takes.compare")}</Button> : null}
      </div>
      <p className="mb-2 line-clamp-2 text-12 text-ink-3">{t("takes.of", { chunk: chunk + 1, total: made.chunks.length })} · {asWritten(one.text)}</p>
      <RadioGroup.Root className="grid" aria-label={t("takes.title")} value={String(chosen)} onValueChange={(value) => choose(Number(value))}>
        {Array.from({ length: one.takes }, (_, take) => (
          <div key={take} className="st-take" data-chosen={take === chosen ? "" : undefined}>
            <RadioGroup.Item value={String(take)} id={`${name}${take}`} className="st-radio" aria-label={t("takes.take", { number: take + 1 })}><RadioGroup.Indicator /></RadioGroup.Item>
            <label htmlFor={`${name}${take}`} className="flex-1">{t("takes.take", { number: take + 1 })}</label>
            {take === chosen ? <>
              <span className="text-12 text-ink-3">{t("takes.seconds", { seconds: format.number(one.end - one.start, { maximumFractionDigits: 1 }) })}</span>
              <IconButton label={t(isPlaying ? "common:player.pause" : "takes.play")} icon={isPlaying ? <Pause size={14} /> : <Play size={14} />} onClick={() => (isPlaying ? player.pause() : playFrom(made, chunk))} />
            </> : null}
          </div>
        ))}
      </RadioGroup.Root>
      <div className="mt-2"><Button size="small" icon={<RefreshCw size={14} />} busy={taking === chunk} disabled={making.running} onClick={() => making.take(chunk)}>{t(taking === chunk ? "takes.making" : "takes.new")}</Button></div>
    </>
  );
}

/** The takes of the chunk at the cursor. */
export function TakesSection({ making, chunk }: { making: Making; chunk: number }) {
  const { t } = useTranslation("studio");
  return hasTakes(making, chunk) ? <section aria-label={t("takes.title")}><Takes making={making} chunk={chunk} /></section> : null;
}
