/** The dialog that is open on the page of a transcript. */
export type PageDialog =
  /** Names the speaker from this segment on. */
  | { kind: "speaker"; segment: number }
  /** Splits the line that begins with this segment. */
  | { kind: "split"; segment: number }
  /** The question whether a speaker becomes another one, whose name was given. */
  | { kind: "merge"; from: string; to: string }
  /** Lets the voice of a speaker be recognised in later transcripts. */
  | { kind: "remember"; speaker: string }
  /** Transcribes this part again, in seconds. */
  | { kind: "rerun"; from: number; to: number };
