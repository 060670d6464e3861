const seconds = 10; // Chromium shows the desktop only elements of more than 5 s
const rate = 8_000;
const header = 44;

/** Returns a WAV file of silence: 8-bit mono, whose middle is 128. */
function silentFile(): Blob {
  const bytes = new Uint8Array(header + seconds * rate).fill(128, header);
  const view = new DataView(bytes.buffer);
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at);
  text(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true); // the size of what follows
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true); // bytes a second
  view.setUint16(32, 1, true); // bytes of a frame
  view.setUint16(34, 8, true); // bits of a sample
  text(36, "data");
  view.setUint32(40, seconds * rate, true);
  return new Blob([bytes], { type: "audio/wav" });
}

/** A silent audio element beside Web Audio, which browsers do not show the desktop by itself. */
export function createSilence() {
  let audio: HTMLAudioElement | null = null;
  let address = "";
  return {
    /** Holds the place in the desktop while `held`, as playing or as paused. */
    set(held: boolean, playing: boolean): void {
      if (!held) {
        audio?.pause();
        audio?.removeAttribute("src");
        if (audio) URL.revokeObjectURL(address);
        audio = null;
        return;
      }
      if (!audio) {
        address = URL.createObjectURL(silentFile());
        audio = new Audio(address);
        audio.loop = true;
      }
      if (!playing) audio.pause();
      else if (audio.paused) audio.play().catch(() => undefined); // a browser may require a click first
    },
  };
}
