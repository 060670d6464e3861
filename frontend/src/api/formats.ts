import type { components } from "./schema";

export type AudioFormat = NonNullable<components["schemas"]["GenerateRequest"]["format"]>;
export type ExportFormat = NonNullable<components["schemas"]["ExportRequest"]["format"]>;

/** Returns the keys of a record that has exactly the formats of the API: a format added there fails the build here. */
const namesOf = <F extends string>(formats: Record<F, true>) => Object.keys(formats) as F[];

/** The formats of audio files, in the order of the menus. */
export const audioFormats = namesOf<AudioFormat>({ wav: true, flac: true, mp3: true, opus: true, m4a: true });

/** The formats of subtitles. */
export const subtitleFormats = namesOf<Exclude<ExportFormat, AudioFormat>>({ srt: true, vtt: true });

/** The options of exported audio; absent ones are as it was made. */
export interface SoundOptions {
  /** In LUFS. */
  loudness?: number;
  /** In kbit/s. */
  bitrate?: number;
}
