import type { ApiError } from "./errors";

/** The reasons why a file has no text; the messages are under `problem` in studio.json. */
export type Reason =
  | "kind"
  | "noText"
  | "noBook"
  | "noWord"
  | "oldWord"
  | "password"
  | "locked"
  | "noPdf"
  | "badPdf"
  | "tooMuch"
  | "noSubtitles"
  | "empty"
  | "emptyPdf"
  | "tooLarge"
  | "noPdftotext"
  | "gone";

/** Detected in the page: the file cannot be read any more, or is a folder. */
export const fileGone = "file_gone";

/** `params.reason` of POST /text/extract (backend/extract) for a file that it cannot read. */
export const reasonByParam: Readonly<Record<string, Reason>> = {
  kind: "kind",
  no_text: "noText",
  no_book: "noBook",
  no_word: "noWord",
  old_word: "oldWord",
  password: "password",
  locked: "locked",
  no_pdf: "noPdf",
  bad_pdf: "badPdf",
  too_much: "tooMuch",
  no_subtitles: "noSubtitles",
};
/** For an unknown reason: the most likely one for a file with this extension. */
const likelyReason: Readonly<Record<string, Reason>> = {
  txt: "noText",
  md: "noText",
  markdown: "noText",
  srt: "noSubtitles",
  vtt: "noSubtitles",
  epub: "noBook",
  docx: "noWord",
  docm: "noWord",
  pdf: "badPdf",
};

/** Returns the reason of an error; null if the message of its code is enough. */
export function reasonOf(error: ApiError, name: string): Reason | null {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  switch (error.code) {
    case "unsupported_media":
      return reasonByParam[String(error.params.reason)] ?? likelyReason[ending] ?? "kind";
    case "nothing_to_speak":
      return ending === "pdf" ? "emptyPdf" : "empty";
    case "body_too_large":
      return "tooLarge";
    case "runtime_missing":
      return "noPdftotext";
    case fileGone:
      return "gone";
    default:
      return null;
  }
}

/** Reports whether reading the same file again can succeed. */
export const canRetry = (reason: Reason | null): boolean =>
  reason === null || reason === "noPdftotext" || reason === "gone";
