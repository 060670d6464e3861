import * as v from "valibot";
import { bookFormats, type BookExport } from "@/api/books";
import { createStore, useStore } from "@/lib/store";
import { storedValue } from "@/lib/storedValue";

/** The bit rates of lossy formats in kbit/s; 0 is the usual quality. */
export const bitrates = [0, 48, 64, 96, 128, 192] as const;

const first = { format: "m4b", bitrate: 0 } as const;
const schema = v.object({
  format: v.fallback(v.picklist(bookFormats), first.format),
  bitrate: v.fallback(v.picklist(bitrates), first.bitrate),
});

/** How books are exported. */
export type BookChoice = v.InferOutput<typeof schema>;

const stored = storedValue("voicewright.bookExport", schema, first);
const choice = createStore<BookChoice>(stored.read());

export const useBookChoice = (): BookChoice => useStore(choice);

export function setBookChoice(next: BookChoice): void {
  choice.set(next);
  stored.write(next);
}

export const isLossy = ({ format }: Pick<BookChoice, "format">): boolean => format !== "wav" && format !== "flac";

/** Returns what is requested for a choice. */
export const requestOf = (chosen: BookChoice): BookExport => ({
  format: chosen.format,
  ...(chosen.bitrate !== 0 && isLossy(chosen) ? { bitrate: chosen.bitrate } : {}),
});
