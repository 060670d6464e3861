import type { Page } from "@playwright/test";

/** An AudioWorklet loses nothing while the page is busy, unlike a ScriptProcessorNode. */
const recorder = `registerProcessor("recorder", class extends AudioWorkletProcessor {
  process([[samples]]) {
    if (samples) this.port.postMessage(samples);
    return true;
  }
});`;

/** Records what the page sends to the speakers, from the start of each AudioContext on; needs `bypassCSP`. */
export async function record(page: Page): Promise<void> {
  await page.addInitScript(
    (url) => {
      const heard: { rate: number; samples: number[] } = { rate: 0, samples: [] };
      Object.assign(window, { heard });
      const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
      async function tap(from: AudioNode, to: AudioDestinationNode): Promise<void> {
        await from.context.audioWorklet.addModule(url).catch(() => undefined); // it fails where the context was closed
        if (from.context.state === "closed") return;
        const recorder = new AudioWorkletNode(from.context, "recorder");
        recorder.port.onmessage = ({ data }: MessageEvent<Float32Array>) => heard.samples.push(...data);
        connect.call(from, recorder);
        connect.call(recorder, to);
        heard.rate = from.context.sampleRate;
        heard.samples = [];
      }
      AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode) {
        if (to instanceof AudioDestinationNode && this.context instanceof AudioContext) void tap(this, to);
        return connect.call(this, to);
      } as typeof AudioNode.prototype.connect;
    },
    `data:text/javascript,${encodeURIComponent(recorder)}`,
  );
}
export const recorded = (page: Page) =>
  page.evaluate(() => (window as unknown as { heard: { rate: number; samples: number[] } }).heard);
/** Drops what was recorded of other sounds: the take that follows loads before its AudioContext starts. */
export const forget = (page: Page) =>
  page.evaluate(() => void ((window as unknown as { heard: { samples: number[] } }).heard.samples = []));
export const secondsRecorded = (page: Page) =>
  page.evaluate(() => {
    const { rate, samples } = (window as unknown as { heard: { rate: number; samples: number[] } }).heard;
    return samples.length / Math.max(1, rate);
  });

/** The pitch of a part in Hz, by its zero crossings, and its level. */
export function part(samples: readonly number[], rate: number, from: number, length: number) {
  const some = samples.slice(Math.round(from * rate), Math.round((from + length) * rate));
  const rising = some.flatMap((x, i) => (x >= 0 && (some[i - 1] ?? 0) < 0 ? [i] : []));
  const [first = 0, last = 0] = [rising[0], rising.at(-1)];
  return {
    pitch: ((rising.length - 1) * rate) / Math.max(1, last - first),
    level: Math.sqrt(some.reduce((sum, x) => sum + x * x, 0) / some.length),
  };
}
