import { useRegenerateChunk } from "@/api/generations";
import type { Generation } from "@/api/types";
import { audition } from "../audition";
import { output } from "../output";
import { player } from "../requests";
import { takeOf } from "../takes";

const overlaps = ({ receipt }: Generation): boolean => Number(receipt?.parameters["crossfade_ms"] ?? 0) > 0;

/** Plays new takes of chunks. Where chunks overlap, a take has no audio of its own. */
function playNew(made: Generation, chunks: readonly number[]): void {
  const [first = 0] = chunks;
  if (overlaps(made)) player.load(made, { play: true, at: made.chunks[first]?.start ?? 0 });
  else void audition(...chunks.map((chunk) => takeOf(made, chunk, (made.chunks[chunk]?.takes ?? 1) - 1)));
}

/** Generates new takes, and plays them unless another sound was started meanwhile. */
export function useNewTakes() {
  const make = useRegenerateChunk();
  return {
    /** Adds a take to chunks of a generation. They are chosen only where chunks overlap: there they cannot be heard else. */
    generate: async (generation: Generation, chunks: readonly number[]): Promise<Generation> => {
      const isBusy = output.watch();
      let made = generation;
      for (const chunk of chunks) {
        made = await make.mutateAsync({ id: generation.id, chunk, choose: overlaps(generation) });
      }
      if (made.status === "complete" && !isBusy()) playNew(made, chunks);
      return made;
    },
    /** The chunk of which a take is generated. */
    chunk: make.isPending ? make.variables.chunk : null,
    error: make.error,
    reset: make.reset,
  };
}
