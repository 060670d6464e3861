import { isAbort, isUnavailable } from "@/api/errors";
import { fetchLivePeaks } from "@/api/liveAudio";
import { hasEnded, type LivePeaks } from "@/api/types";
import { change, grown, type Growth, type Sound } from "./state";

const interval = 500; // ms
const slowest = 8_000; // ms: an hour of peaks need not be drawn twice a second
const stillLooks = 10; // answers without anything new after which it may have ended

const joined = (known: Growth, next: LivePeaks): Growth => {
  const [first] = next.chunks;
  return {
    seconds: next.seconds,
    peaks: [...known.peaks.slice(0, Math.round(next.from * next.per_second)), ...next.peaks],
    chunks: first ? [...known.chunks.filter((chunk) => chunk.start < first.start), ...next.chunks] : known.chunks,
  };
};

interface Options {
  id: string;
  isOver(): boolean;
  onGrow(growth: Growth): void;
  /** Called when there has been nothing new for a while, or less than before. */
  onStill(): void;
  /** Called when the server has nothing of the generation, which is then followed no more. */
  onUnavailable(): void;
}

/** Follows the waveform and the chunks of a generation until it `isOver`. Returns a function that stops. */
function followGrowth({ id, isOver, onGrow, onStill, onUnavailable }: Options): () => void {
  const request = new AbortController();
  let known: Growth = { seconds: 0, peaks: [], chunks: [] };
  let from = 0; // seconds of which there are peaks
  let still = 0; // answers since it last grew
  let timer: ReturnType<typeof setTimeout>;
  async function look(): Promise<void> {
    try {
      const next = await fetchLivePeaks(id, from, request.signal);
      if (request.signal.aborted) return;
      from = next.from + next.peaks.length / next.per_second;
      const isComplete = from > next.seconds - 1; // an answer has a limit
      const hasGrown = next.seconds > known.seconds;
      still = hasGrown ? 0 : still + 1;
      if (hasGrown) onGrow((known = joined(known, next)));
      else if (isComplete && isOver() && known.seconds > 0)
        return; // the server may still be reading what was finished
      else if (next.seconds < known.seconds || still % stillLooks === 0) onStill();
      timer = setTimeout(() => void look(), isComplete ? Math.min(slowest, interval + 2 * from) : 0);
    } catch (error) {
      if (isUnavailable(error)) onUnavailable();
      else if (!isAbort(error)) timer = setTimeout(() => void look(), interval);
    }
  }
  void look();
  return () => {
    request.abort();
    clearTimeout(timer);
  };
}

/** Shows what there is of a generation: all of it once it has ended, else as it grows. Returns a function that stops. */
export function showGrowth(
  generation: Sound,
  changes: boolean,
  then: Pick<Options, "onStill" | "onUnavailable">,
): () => void {
  change({ generation: { ...generation, chunks: [] }, growing: [], duration: 0 });
  return followGrowth({
    id: generation.id,
    isOver: () => hasEnded(generation.status),
    onGrow: (growth) => change(grown(generation, growth, changes)),
    ...then,
  });
}
