/** The dialog that is open on the page of a transcript. */
export type PageDialog =
  /** Names the speaker from this segment on. */
  | { kind: "speaker"; segment: number }
  /** Transcribes this part again, in seconds. */
  | { kind: "rerun"; from: number; to: number };
