/** Samples from -1 to 1, one array for each channel, all of the same length. */
export type Samples = readonly Float32Array<ArrayBuffer>[];

/** Returns a function that turns bytes of 16-bit little-endian PCM into samples; a cut frame waits for its other half. */
export function pcmDecoder(channels: number): (bytes: Uint8Array) => Samples {
  let cut = new Uint8Array(0);
  return (bytes) => {
    const all = new Uint8Array(cut.length + bytes.length);
    all.set(cut);
    all.set(bytes, cut.length);
    const frames = Math.floor(all.length / (2 * channels));
    cut = all.slice(frames * 2 * channels);
    const view = new DataView(all.buffer);
    return Array.from({ length: channels }, (_, channel) =>
      Float32Array.from({ length: frames }, (_, i) => view.getInt16(2 * (i * channels + channel), true) / 0x8000),
    );
  };
}

export const framesOf = (samples: Samples): number => samples[0]?.length ?? 0;

const silent = 0.003; // -50 dB

/** A pause of speech, in seconds or frames. */
export interface Pause {
  from: number;
  to: number;
}

/** Finds pauses of speech in samples that come one after the other. */
export function pauseFinder(rate: number, seconds: number) {
  const least = seconds * rate;
  let pauses: Pause[] = [];
  let from: number | null = null; // where the silence began that lasts
  return {
    /** Adds the samples at a frame; those after a seek begin anew. */
    add(samples: Samples, at: number): void {
      const frames = framesOf(samples);
      for (let i = 0; i < frames; i += 1) {
        if (samples.every((channel) => Math.abs(channel[i] ?? 0) < silent)) {
          from ??= at + i;
          continue;
        }
        if (from !== null && at + i - from >= least) pauses.push({ from, to: at + i });
        from = null;
      }
    },
    /** Returns the first pause after a frame, or what is left of it; null if none is known. */
    after(frame: number): Pause | null {
      pauses = pauses.filter((pause) => pause.to - least >= frame);
      const [first] = pauses;
      return first ? { from: Math.max(first.from, frame), to: first.to } : null;
    },
    reset(): void {
      pauses = [];
      from = null;
    },
  };
}
