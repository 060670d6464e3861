import * as v from "valibot";
import { transcriptFormats, type TranscriptFormat } from "@/api/transcriptions";
import { createStore, useStore } from "@/lib/store";
import { storedValue } from "@/lib/storedValue";

const first = { format: "docx", times: true } as const;
const schema = v.object({
  format: v.fallback(v.picklist(transcriptFormats), first.format),
  /** Of documents: with the time of each paragraph. */
  times: v.fallback(v.boolean(), first.times),
});

/** How transcripts are exported. */
export type ExportChoice = v.InferOutput<typeof schema>;

const stored = storedValue("voicewright.transcriptExport", schema, first);
const choice = createStore<ExportChoice>(stored.read());

export const useExportChoice = (): ExportChoice => useStore(choice);

export function setExportChoice(next: ExportChoice): void {
  choice.set(next);
  stored.write(next);
}

/** Reports whether a format can be with and without times. */
export const hasTimesChoice = (format: TranscriptFormat): boolean => format === "md" || format === "docx";
