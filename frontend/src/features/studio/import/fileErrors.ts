import type { ApiError } from "@/api/errors";

/** Why a text could not be read out of a file; its words are those of `problem` in studio.json. */
export type Reason =
  | "kind"
  | "noText"
  | "noBook"
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

/** Told by the window itself: the file cannot be read any more, or is a folder. */
export const fileGone = "file_gone";

/** What POST /text/extract says about files that it does not read (backend/extract); one code has them all. */
export const reasonByDetail: Readonly<Record<string, Reason>> = {
  "Files of this kind cannot be read aloud.": "kind",
  "This file contains no text, or it is damaged.": "noText",
  "This isn’t an EPUB file, or it is damaged.": "noBook",
  "This book is protected against copying.": "locked",
  "This isn’t a PDF file, although its name says so.": "noPdf",
  "The PDF file cannot be read.": "badPdf",
  "This file expands to too much text.": "tooMuch",
  "There are no subtitles in this file.": "noSubtitles",
};
/** Where it says something else: what is most likely of a file with this ending. */
const likelyReason: Readonly<Record<string, Reason>> = {
  txt: "noText",
  md: "noText",
  markdown: "noText",
  srt: "noSubtitles",
  epub: "noBook",
  pdf: "badPdf",
};

/** Null where the words of the code itself say it best, such as of a program that does not answer. */
export function reasonOf(error: ApiError, name: string): Reason | null {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  switch (error.code) {
    case "unsupported_media":
      return reasonByDetail[error.detail] ?? likelyReason[ending] ?? "kind";
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

/** Whether reading the same file again can end in another way. */
export const canRetry = (reason: Reason | null): boolean =>
  reason === null || reason === "noPdftotext" || reason === "gone";
